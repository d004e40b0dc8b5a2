import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Mention, MentionChange } from '../api/mentions.ts'
import { changed, inverseOf, inversesOf, valuesOf } from './triage.ts'

const MEMBERS = ['ada', 'bob'].map((name) => ({ userId: `user_${name}`, name, email: `${name}@example.com` }))
const times = fc.constantFrom('2026-12-01T09:00:00.000Z', '2026-12-24T09:00:00.000Z')
const sentiments = fc.constantFrom('positive', 'neutral', 'negative')

const changes = fc
  .record(
    {
      status: fc.constantFrom('open', 'ignored', 'done'),
      assigneeId: fc.option(fc.constantFrom('user_ada', 'user_bob')),
      snoozedUntil: fc.option(times),
      note: fc.option(fc.string({ minLength: 1, maxLength: 5 })),
      relevant: fc.option(fc.boolean()),
      sentiment: fc.option(sentiments),
    },
    { requiredKeys: [] },
  )
  .map((change) => change as MentionChange)

const mentions = fc
  .record({ relevance: fc.integer({ min: 0, max: 100 }), sentiment: sentiments, changes: fc.array(changes) })
  .map((made) =>
    made.changes.reduce(
      (mention, change) => changed(mention, change, MEMBERS),
      mentionWith(made.relevance, made.sentiment),
    ),
  )

function mentionWith(relevance: number, sentiment: string): Mention {
  return {
    id: `mtn_${relevance}`,
    status: 'open',
    relevant: relevance >= 40,
    classification: { relevance, sentiment, feedback: null },
    triage: { assignee: null, snoozedUntil: null, note: null },
  } as unknown as Mention
}

test('undoing a change gives every value back', () => {
  fc.assert(
    fc.property(mentions, changes, (mention, change) => {
      const after = changed(changed(mention, change, MEMBERS), inverseOf(change, mention), MEMBERS)
      expect(valuesOf(after)).toEqual(valuesOf(mention))
      expect([after.relevant, after.classification?.relevance, after.classification?.sentiment]).toEqual([
        mention.relevant,
        mention.classification?.relevance,
        mention.classification?.sentiment,
      ])
    }),
  )
})

test('mentions of equal former values are undone together', () => {
  fc.assert(
    fc.property(fc.array(mentions, { minLength: 1 }), changes, (many, change) => {
      const undos = inversesOf(change, many)
      expect(undos.flatMap(({ ids }) => ids).sort()).toEqual(many.map(({ id }) => id).sort())
      expect(new Set(undos.map((undo) => JSON.stringify(undo.change))).size).toBe(undos.length)
    }),
  )
})
