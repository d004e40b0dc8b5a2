import { z } from 'zod'
import { updateMention } from '../../../commands/mentions/update-mention.ts'
import type { Sentiment } from '../../../domain/mention/classification.ts'
import type { TriageChange } from '../../../domain/mention/triage.ts'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { actorOf } from '../../../operations/mentions/actor-of.ts'
import { getMention } from '../../../queries/mentions/get-mention.ts'
import type { Mention } from '../../../queries/mentions/mention-shape.ts'
import { defineCompat } from '../define.ts'
import { instantIn, numberIdIn } from '../fields.ts'
import { isEngaged, relevanceOf, scoreOf, sentimentNameOf, sentimentOut, sourceIdOf } from './row.ts'
import { mentionIdOf, sourceIdIn } from './rows.ts'

/** Copied from the row by clients; the path names the mention. */
const copied = {
  postId: numberIdIn.optional().meta({ description: 'Not needed: the path names the mention.' }),
  timestamp: instantIn('begin').optional().meta({ description: 'Not needed: the path names the mention.' }),
}

const changeIn = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('engage'),
    engaged: z.boolean().optional().meta({ description: 'Toggled when absent.' }),
    ...copied,
  }),
  z.strictObject({
    action: z.literal('relevance'),
    relevance: z
      .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 0, 1, 2 or 3' })
      .meta({ description: '0 and 1: relevant, 2: not relevant, 3: takes the verdict away.' }),
    ...copied,
  }),
  z.strictObject({ action: z.literal('sentiment'), sentimentLabel: sentimentOut, ...copied }),
])

/** The state of a verdict after a change. */
export const verdictOut = {
  sourceId: z.string().max(40),
  engaged: z.boolean(),
  relevance: z.enum(['relevant', 'not_relevant']),
  relevanceScore: z.int().min(0).max(2).nullable(),
  sentiment: sentimentOut.nullable(),
}

export function verdictOf(mention: Mention) {
  return {
    sourceId: sourceIdOf(mention),
    engaged: isEngaged(mention),
    relevance: relevanceOf(mention),
    relevanceScore: scoreOf(mention),
    sentiment: sentimentNameOf(mention.classification?.sentiment ?? null),
  }
}

/** The verdict of the team that a number asks for; 3 takes it away. */
export function relevantFrom(relevance: 0 | 1 | 2 | 3): boolean | null {
  return relevance === 3 ? null : relevance < 2
}

export const updateMentionCompat = defineCompat({
  id: 'update-mention',
  method: 'PATCH',
  path: '/mentions/{sourceId}',
  access: 'write',
  summary: 'Change a mention',
  description:
    'Sets whether a mention is engaged (done), its relevance or its sentiment, and returns what then holds. A ' +
    'written relevance of 0 or 1 reads back as 0.',
  tag: 'Mentions',
  params: { sourceId: sourceIdIn },
  body: changeIn,
  output: z.strictObject({ ok: z.literal(true), ...verdictOut }),
  notFound: 'POST_NOT_FOUND',
  errors: ['classification_pending'],
  run: async (context, { params, body }) => {
    const id = await mentionIdOf(context, params.sourceId)
    if (isRefusal(id)) return id
    const before = await getMention(context, id)
    if (isRefusal(before)) return before
    const changed = await updateMention(context, actorOf(context.caller), id, changeFrom(body, before))
    return isRefusal(changed) ? changed : { ok: true as const, ...verdictOf(changed) }
  },
})

function changeFrom(body: z.output<typeof changeIn>, before: Mention): TriageChange {
  switch (body.action) {
    case 'engage':
      return { status: (body.engaged ?? !isEngaged(before)) ? 'done' : 'open' }
    case 'relevance':
      return { relevant: relevantFrom(body.relevance) }
    case 'sentiment':
      return { sentiment: body.sentimentLabel.toLowerCase() as Sentiment }
  }
}
