import { z } from 'zod'
import { ACTOR_KINDS, AUDIT_KINDS, type AuditKind } from '../../domain/audit/kinds.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

export const KINDS = Object.keys(AUDIT_KINDS) as [AuditKind, ...AuditKind[]]

const kind = z.enum(KINDS).meta({
  description: Object.entries(AUDIT_KINDS)
    .map(([name, meaning]) => `${name}: ${meaning}.`)
    .join(' '),
})
/** Names are whatever people and apps called things. */
const nameOut = textOut(400)

const actor = z
  .strictObject({
    type: z.enum(ACTOR_KINDS).meta({
      description:
        '`operator` is the command line of the installation, `provider` an outside service such as the ' +
        'payment provider. `service` is Earshot itself, `unknown` a caller without a valid credential.',
    }),
    id: z
      .union([idOut('user'), idOut('key')])
      .nullable()
      .meta({ description: 'Id of the person or API key.' }),
    name: nameOut.nullable().meta({ description: 'Name at the time.' }),
    email: nameOut.nullable().meta({ description: 'E-mail address of the person at the time.' }),
    app: z
      .strictObject({ clientId: textOut(2000), name: nameOut })
      .nullable()
      .meta({ description: 'App through which the person acted; null if the person acted directly.' }),
  })
  .meta({ id: 'AuditActor', description: 'The actor.' })

const target = z
  .strictObject({
    id: textOut(2000).nullable(),
    name: nameOut.nullable().meta({ description: 'Name at the time; the e-mail address for people and invitations.' }),
  })
  .meta({ id: 'AuditTarget', description: 'The target.' })

const told = z.union([textOut(2000), z.int().min(0).max(1e15), z.boolean(), z.null(), z.array(textOut(100)).max(50)])

export const auditEntry = z
  .strictObject({
    id: idOut('aud'),
    at: timeOut,
    kind,
    actor,
    target: target.nullable(),
    data: z
      .record(z.string().max(60), told)
      .meta({ description: 'Further data of this kind of entry, such as the role or the reason.' }),
    address: textOut(100)
      .nullable()
      .meta({ description: 'IP address of the request; null if it did not come over the network.' }),
    requestId: textOut(100)
      .nullable()
      .meta({ description: "`X-Request-Id` of the request, which is also in the service's log." }),
  })
  .meta({ id: 'AuditEntry', description: 'A security-relevant action in the workspace.' })
