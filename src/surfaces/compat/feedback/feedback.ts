import { z } from 'zod'
import { updateMention } from '../../../commands/mentions/update-mention.ts'
import { INTENTS } from '../../../domain/mention/classification.ts'
import { isRefusal, type Refusal, refuseField } from '../../../domain/refusal/refusal.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import { actorOf } from '../../../operations/mentions/actor-of.ts'
import { countOut } from '../../../operations/shapes.ts'
import { countVerdicts } from '../../../queries/keywords/count-verdicts.ts'
import { getKeyword } from '../../../queries/keywords/get-keyword.ts'
import { getMention } from '../../../queries/mentions/get-mention.ts'
import type { Mention } from '../../../queries/mentions/mention-shape.ts'
import { type CompatContext, defineCompat } from '../define.ts'
import { instantIn, numberIdIn, numberIdOut } from '../fields.ts'
import { keywordIdOf } from '../keywords/shape.ts'
import { keywordUuidOf } from '../mentions/row.ts'
import { mentionIdOf, sourceIdIn } from '../mentions/rows.ts'
import { relevantFrom, verdictOf, verdictOut } from '../mentions/update-mention.ts'
import { FILTER_SLUGS } from '../platforms.ts'

const VERDICTS = ['RELEVANT', 'NOT_RELEVANT'] as const
const copied = z.unknown().optional().meta({ description: 'Not needed: sourceId names the mention.' })

export const createFeedbackCompat = defineCompat({
  id: 'create-feedback',
  method: 'POST',
  path: '/feedback',
  access: 'write',
  summary: 'Give a verdict',
  description: 'Sets whether a mention is relevant, which overrides its score, and returns what then holds.',
  tag: 'Feedback',
  body: z.strictObject({
    sourceId: sourceIdIn,
    feedbackType: z.enum(VERDICTS),
    keywordId: numberIdIn.optional().meta({ description: 'If sent, the keyword of the row.' }),
    timestamp: instantIn('begin').optional(),
    postId: numberIdIn.optional(),
    source: z.enum(FILTER_SLUGS as [string, ...string[]]).optional(),
    feedbackReason: z.string().max(2000).nullable().optional().meta({ description: 'Not kept.' }),
    feedbackSource: z.string().max(50).nullable().optional().meta({ description: 'Not kept.' }),
    originalRelevanceScore: copied,
  }),
  status: 201,
  output: z.strictObject({
    ok: z.literal(true),
    success: z.literal(true),
    feedbackType: z.enum(VERDICTS),
    keywordId: numberIdOut,
    ...verdictOut,
  }),
  notFound: 'POST_NOT_FOUND',
  errors: ['not_found', 'classification_pending'],
  run: async (context, { body }) => {
    const before = await mentionOf(context, body.sourceId)
    if (isRefusal(before)) return before
    const keyword = keywordUuidOf(before.mention)
    const keywordId = (await context.numbers.of([{ kind: 'keyword', id: keyword }]))(keyword)
    if (body.keywordId !== undefined && body.keywordId !== keywordId)
      return refuseField('keywordId', 'is not the keyword of this mention')
    const relevant = relevantFrom(body.feedbackType === 'RELEVANT' ? 0 : 2)
    const after = await updateMention(context, actorOf(context.caller), before.id, { relevant })
    if (isRefusal(after)) return after
    return {
      ok: true as const,
      success: true as const,
      feedbackType: body.feedbackType,
      keywordId,
      ...verdictOf(after),
    }
  },
})

export const deleteFeedbackCompat = defineCompat({
  id: 'delete-feedback',
  method: 'DELETE',
  path: '/feedback',
  access: 'write',
  summary: 'Take a verdict away',
  description: 'Restores the score of a mention.',
  tag: 'Feedback',
  body: z.strictObject({ sourceId: sourceIdIn, timestamp: instantIn('begin').optional() }),
  output: z.strictObject({ success: z.literal(true) }),
  notFound: 'POST_NOT_FOUND',
  errors: ['not_found'],
  run: async (context, { body }) => {
    const before = await mentionOf(context, body.sourceId)
    if (isRefusal(before)) return before
    const after = await updateMention(context, actorOf(context.caller), before.id, { relevant: relevantFrom(3) })
    return isRefusal(after) ? after : { success: true as const }
  },
})

async function mentionOf(
  context: CompatContext<'write'>,
  sourceId: string,
): Promise<{ id: Uuid; mention: Mention } | Refusal<'not_found'>> {
  const id = await mentionIdOf(context, sourceId)
  if (isRefusal(id)) return id
  const mention = await getMention(context, id)
  return isRefusal(mention) ? mention : { id, mention }
}

export const feedbackStatsCompat = defineCompat({
  id: 'get-feedback-stats',
  method: 'GET',
  path: '/feedback/stats',
  access: 'read',
  summary: 'Count verdicts',
  description: 'Returns the verdicts of the team that are in force, of one keyword or of all.',
  tag: 'Feedback',
  query: { keywordId: numberIdIn.optional().meta({ description: 'Number of a keyword; all keywords by default.' }) },
  output: z.strictObject({
    totalFeedback: countOut,
    relevantCount: countOut,
    notRelevantCount: countOut,
    falsePositiveRate: z.number().min(0).max(1).meta({ description: 'Share of NOT_RELEVANT; 0 without verdicts.' }),
  }),
  notFound: 'KEYWORD_NOT_FOUND',
  errors: ['not_found'],
  run: async (context, { query }) => {
    const id = query.keywordId === undefined ? null : await keywordIdOf(context, query.keywordId)
    if (isRefusal(id)) return id
    const keyword = id === null ? null : await getKeyword(context, id)
    if (isRefusal(keyword)) return keyword
    const { relevant, notRelevant } = await countVerdicts(context, id)
    const totalFeedback = relevant + notRelevant
    return {
      totalFeedback,
      relevantCount: relevant,
      notRelevantCount: notRelevant,
      falsePositiveRate: totalFeedback === 0 ? 0 : notRelevant / totalFeedback,
    }
  },
})

export const listTagsCompat = defineCompat({
  id: 'list-tags',
  method: 'GET',
  path: '/tags',
  access: 'read',
  summary: 'List tags',
  description: 'Returns every tag that the classifier gives, in order. Tags here are intents.',
  tag: 'Mentions',
  output: z.strictObject({ data: z.array(z.enum(INTENTS)).max(INTENTS.length) }),
  run: async () => ({ data: [...INTENTS].sort() }),
})
