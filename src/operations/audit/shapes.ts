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
        'operator is the command line of the installation, provider whoever tells of payments or chats, service ' +
        'what it does by itself, unknown a caller who has not shown who they are.',
    }),
    id: z
      .union([idOut('user'), idOut('key')])
      .nullable()
      .meta({ description: 'Of a person or an API key.' }),
    name: nameOut.nullable().meta({ description: 'As it was then.' }),
    email: nameOut.nullable().meta({ description: 'Of a person, as it was then.' }),
    app: z
      .strictObject({ clientId: textOut(2000), name: nameOut })
      .nullable()
      .meta({ description: 'The app through which a person acted; null for the person themselves.' }),
  })
  .meta({ id: 'AuditActor', description: 'Who did it.' })

const target = z
  .strictObject({
    id: textOut(2000).nullable(),
    name: nameOut.nullable().meta({ description: 'As it was then; an e-mail address of people and invitations.' }),
  })
  .meta({ id: 'AuditTarget', description: 'What it was done to.' })

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
      .meta({ description: 'What the kind tells besides, such as the role or the reason.' }),
    address: textOut(100)
      .nullable()
      .meta({ description: 'The address that the request came from; null where it came over no network.' }),
    requestId: textOut(100)
      .nullable()
      .meta({ description: 'The X-Request-Id of the request, which is in the log of the service too.' }),
  })
  .meta({ id: 'AuditEntry', description: 'Something of weight that happened in the workspace.' })
