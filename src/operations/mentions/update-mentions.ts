import { z } from 'zod'
import { updateMentions } from '../../commands/mentions/update-mentions.ts'
import { TRIAGE_LIMITS } from '../../domain/mention/triage.ts'
import { defineOperation } from '../definition.ts'
import { countOut, idIn, idOut } from '../shapes.ts'
import { actorOf } from './actor-of.ts'
import { changeIn } from './shapes.ts'

export const updateMentionsOperation = defineOperation({
  id: 'update-mentions',
  method: 'PATCH',
  path: '/v1/mentions',
  access: 'write',
  summary: 'Triage mentions',
  description:
    'Makes the same change to many mentions in one step. Mentions that cannot be changed are ' +
    'returned with the reason, `not_found` or `classification_pending`. Never charged.',
  tag: 'Mentions',
  body: z.strictObject({
    ids: z.array(idIn('mtn')).min(1).max(TRIAGE_LIMITS.mentions).meta({ description: 'Duplicates count once.' }),
    ...changeIn,
  }),
  status: 200,
  output: z.strictObject({
    updated: countOut.meta({ description: 'Number of mentions in the requested state, unchanged ones included.' }),
    skipped: z
      .array(z.strictObject({ id: idOut('mtn'), code: z.enum(['not_found', 'classification_pending']) }))
      .max(TRIAGE_LIMITS.mentions),
  }),
  errors: ['invalid_assignee'],
  tool: { name: 'update_mentions', title: 'Triage mentions', destructive: false, idempotent: true },
  run: (context, { body: { ids, ...change } }) => updateMentions(context, actorOf(context.caller), ids, change),
})
