import { z } from 'zod'
import { ACTOR_KINDS, AUDIT_LIFETIME_MS } from '../../domain/audit/kinds.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { listAudit } from '../../queries/audit/list-audit.ts'
import { defineOperation } from '../definition.ts'
import { idIn, listIn, pageIn, pageOut, timeIn } from '../shapes.ts'
import { auditEntry, KINDS } from './shapes.ts'

const actorIn = z
  .union([
    z.enum(ACTOR_KINDS).transform((type) => ({ type, id: null })),
    idIn('user').transform((id) => ({ type: 'person' as const, id })),
    idIn('key').transform((id) => ({ type: 'api_key' as const, id })),
  ])
  .meta({ description: 'Entries by this person (user_…), API key (key_…) or type of actor.' })

export const listAuditOperation = defineOperation({
  id: 'list-audit',
  method: 'GET',
  path: '/v1/audit',
  access: 'read',
  peopleOnly: true,
  roles: ['owner'],
  summary: 'List the security log',
  description: [
    'Returns sign-ins and changes to keys, members, apps, channels, billing and filters, exports and ' +
      'deletions, newest first, each with actor, address and request.',
    `Entries are recorded in the transaction of the action and kept for ${AUDIT_LIFETIME_MS / DAY_MS} days. Actions ` +
      "on a person's own account are in the log of every workspace they belong to.",
    'API keys cannot read the log, because it shows their use.',
  ].join(' '),
  tag: 'Audit',
  query: {
    ...pageIn,
    kind: listIn(z.enum(KINDS), KINDS.length).optional().meta({ description: 'Entries of these kinds.' }),
    actor: actorIn.optional(),
    since: timeIn().optional().meta({ description: 'Entries from this time on.' }),
    until: timeIn().optional().meta({ description: 'Entries before this time.' }),
  },
  status: 200,
  output: pageOut(auditEntry).meta({ id: 'AuditPage', description: 'A page of the security log.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { hidden: 'Addresses of people and what was tried against them are for people to read, not for a model.' },
  run: (context, { query: { kind, actor, since, until, limit, cursor } }) =>
    listAudit(context, {
      kinds: kind ?? null,
      actor: actor ?? null,
      since: since ?? null,
      until: until ?? null,
      limit,
      cursor: cursor ?? null,
    }),
})
