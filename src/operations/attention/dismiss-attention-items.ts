import { z } from 'zod'
import { dismissMany } from '../../commands/attention/dismiss-many.ts'
import { ATTENTION_KINDS } from '../../domain/attention/kinds.ts'
import { defineOperation } from '../definition.ts'
import { countOut, idIn, idOut } from '../shapes.ts'

const IDS_MAX = 200

export const dismissAttentionItemsOperation = defineOperation({
  id: 'dismiss-attention-items',
  method: 'POST',
  path: '/v1/attention/dismiss',
  access: 'write',
  summary: 'Dismiss many attention items',
  description:
    `Dismisses open items in one step: up to ${IDS_MAX} ids, or all of one kind. Resolved and dismissed items stay ` +
    'unchanged; unknown ids are returned.',
  tag: 'Attention',
  body: z.union([
    z.strictObject({
      ids: z.array(idIn('att')).min(1).max(IDS_MAX).meta({ description: 'Duplicates count once.' }),
    }),
    z.strictObject({ kind: z.enum(ATTENTION_KINDS).meta({ description: 'All open items of this kind.' }) }),
  ]),
  status: 200,
  output: z.strictObject({
    dismissed: countOut.meta({ description: 'Number of items that were open and are dismissed.' }),
    skipped: z.array(z.strictObject({ id: idOut('att'), code: z.enum(['not_found']) })).max(IDS_MAX),
  }),
  errors: [],
  tool: { hidden: 'The tool dismiss_attention takes items one by one, which is as many as a model looks at.' },
  run: (context, { body }) => dismissMany(context, body),
})
