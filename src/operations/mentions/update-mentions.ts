import { z } from 'zod'
import { updateMatching } from '../../commands/mentions/update-matching.ts'
import { updateMentions } from '../../commands/mentions/update-mentions.ts'
import { SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { TRIAGE_LIMITS } from '../../domain/mention/triage.ts'
import { UNDO_MAX } from '../../domain/mention/undo.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { defineOperation } from '../definition.ts'
import { countOut, idIn, idOut, textOut, timeOut } from '../shapes.ts'
import { actorOf } from './actor-of.ts'
import { mentionSearchBody, searchFromBody } from './search.ts'
import { changeIn } from './shapes.ts'

const undoOut = z
  .strictObject({
    ids: z.array(idOut('mtn')).max(TRIAGE_LIMITS.mentions),
    status: z.enum(MENTION_STATUSES).optional(),
    assigneeId: idOut('user').nullable().optional(),
    snoozedUntil: timeOut.nullable().optional(),
    note: textOut(TRIAGE_LIMITS.note).nullable().optional(),
    relevant: z.boolean().nullable().optional(),
    sentiment: z.enum(SENTIMENTS).nullable().optional(),
  })
  .meta({
    id: 'MentionUndo',
    description: 'A body for this operation that restores the former values of its mentions.',
  })

export const updateMentionsOperation = defineOperation({
  id: 'update-mentions',
  method: 'PATCH',
  path: '/v1/mentions',
  access: 'write',
  summary: 'Triage mentions',
  description: [
    'Makes the same change to many mentions. Mentions that cannot be changed are returned with the reason, ' +
      '`not_found` or `classification_pending`. Never charged.',
    `With \`ids\`, up to ${TRIAGE_LIMITS.mentions} mentions are changed in one step.`,
    `With \`filter\`, up to ${TRIAGE_LIMITS.matching} matching mentions are changed in batches of ` +
      `${TRIAGE_LIMITS.mentions}, newest first. Nothing is changed and \`stale_version\` returned if the number of ` +
      'matching mentions differs from `expectedCount` by more than a tenth. A mention that stops matching before its ' +
      'batch stays unchanged and is not counted. After an error, earlier batches may be changed.',
  ].join(' '),
  tag: 'Mentions',
  body: z.union([
    z.strictObject({
      ids: z.array(idIn('mtn')).min(1).max(TRIAGE_LIMITS.mentions).meta({ description: 'Duplicates count once.' }),
      ...changeIn,
    }),
    z.strictObject({
      filter: mentionSearchBody,
      expectedCount: z
        .int()
        .min(1)
        .max(TRIAGE_LIMITS.matching)
        .meta({ description: 'Number of matching mentions as last counted.' }),
      ...changeIn,
    }),
  ]),
  status: 200,
  output: z.strictObject({
    updated: countOut.meta({ description: 'Number of mentions in the requested state, unchanged ones included.' }),
    skipped: z
      .array(z.strictObject({ id: idOut('mtn'), code: z.enum(['not_found', 'classification_pending']) }))
      .max(TRIAGE_LIMITS.mentions)
      .meta({ description: `At most ${TRIAGE_LIMITS.mentions} of the mentions that cannot be changed.` }),
    changed: countOut.optional().meta({ description: 'With `filter`: number of mentions with new values.' }),
    skippedCount: countOut
      .optional()
      .meta({ description: 'With `filter`: number of mentions that cannot be changed.' }),
    undo: z
      .array(undoOut)
      .max(UNDO_MAX)
      .nullable()
      .optional()
      .meta({
        description:
          'With `filter`: requests that restore the former values of every changed mention. Null if it takes more ' +
          `than ${UNDO_MAX}, and for tools.`,
      }),
  }),
  errors: ['invalid_assignee', 'not_found', 'stale_version'],
  tool: { name: 'update_mentions', title: 'Triage mentions', destructive: false, idempotent: true },
  run: async (context, { body }) => {
    const actor = actorOf(context.caller)
    if ('ids' in body) {
      const { ids, ...change } = body
      return await updateMentions(context, actor, ids, change)
    }
    const { filter, expectedCount, ...change } = body
    const answer = await updateMatching(context, actor, { search: searchFromBody(filter), expectedCount }, change)
    return isRefusal(answer) || !context.forModel ? answer : { ...answer, undo: null }
  },
})
