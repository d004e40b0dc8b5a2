import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newUuid } from '../../kernel/ids.ts'
import { SENTIMENTS } from './classification.ts'
import { MENTION_STATUSES } from './status.ts'
import { type Triage, type TriageChange, triaged } from './triage.ts'
import { UNDO_MAX, undoing, undoRequests } from './undo.ts'

const AT = new Date('2026-11-20T12:00:00Z')
const PEOPLE = [newUuid(AT), newUuid(AT)]

const values = {
  status: fc.constantFrom(...MENTION_STATUSES),
  assigneeId: fc.constantFrom(null, ...PEOPLE),
  snoozedUntil: fc.constantFrom(null, new Date('2026-11-21T12:00:00Z'), new Date('2026-11-22T12:00:00Z')),
  note: fc.constantFrom(null, 'First', 'Second'),
  relevant: fc.constantFrom(null, true, false),
  sentiment: fc.constantFrom(null, ...SENTIMENTS),
}
const changes: fc.Arbitrary<TriageChange> = fc.record(values, { requiredKeys: [] })

const SCORED: Triage = {
  status: 'open',
  assigneeId: null,
  snoozedUntil: null,
  note: null,
  relevance: 70,
  sentiment: 'neutral',
  markedRelevant: null,
  markedSentiment: null,
  markedAt: null,
  originalRelevance: null,
  originalSentiment: null,
}

test('an undo restores every value of a change, and a change of nothing needs none', () => {
  fc.assert(
    fc.property(changes, changes, (earlier, change) => {
      const before = triaged(SCORED, earlier, AT)
      const after = triaged(before, change, AT)
      const undo = undoing(before, after)
      expect(undo === null ? after : triaged(after, undo, AT)).toEqual(before)
    }),
  )
})

test('mentions with the same former values share a request of at most 200, and too many requests are none', () => {
  const changed = Array.from({ length: 201 }, () => ({ id: newUuid(AT), undo: { status: 'open' as const } }))
  const ignored = { id: newUuid(AT), undo: { status: 'ignored' as const } }
  expect(undoRequests([...changed, ignored])?.map(({ ids, change }) => [ids.length, change.status])).toEqual([
    [200, 'open'],
    [1, 'open'],
    [1, 'ignored'],
  ])
  const notes = Array.from({ length: UNDO_MAX + 1 }, (_, index) => ({ id: newUuid(AT), undo: { note: `${index}` } }))
  expect(undoRequests(notes)).toBeNull()
  expect(undoRequests(notes.slice(1))).toHaveLength(UNDO_MAX)
})
