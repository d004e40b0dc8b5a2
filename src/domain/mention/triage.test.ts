import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { SENTIMENTS } from './classification.ts'
import { MENTION_STATUSES } from './status.ts'
import { countsOf, differences, type Triage, type TriageChange, triaged } from './triage.ts'

const NOW = new Date('2026-11-20T09:30:00.000Z')
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })
const sentiment = fc.constantFrom(...SENTIMENTS)
const until = fc.integer({ min: 1, max: 100 }).map((minutes) => plus(NOW, minutes * MINUTE_MS))
const user = fc.constantFrom(
  '01900000-0000-7000-8000-000000000001',
  '01900000-0000-7000-8000-000000000002',
) as fc.Arbitrary<Uuid>

/** A mention as its scorer left it, which may have failed. */
const scored: fc.Arbitrary<Triage> = orNull(fc.record({ relevance: fc.integer({ min: 0, max: 100 }), sentiment })).map(
  (verdict) => ({
    status: 'open',
    assigneeId: null,
    snoozedUntil: null,
    note: null,
    relevance: verdict?.relevance ?? null,
    sentiment: verdict?.sentiment ?? null,
    markedRelevant: null,
    markedSentiment: null,
    markedAt: null,
    originalRelevance: null,
    originalSentiment: null,
  }),
)
const change: fc.Arbitrary<TriageChange> = fc.record(
  {
    status: fc.constantFrom(...MENTION_STATUSES),
    assigneeId: orNull(user),
    snoozedUntil: orNull(until),
    note: orNull(fc.string({ minLength: 1, maxLength: 2000 })),
    relevant: orNull(fc.boolean()),
    sentiment: orNull(sentiment),
  },
  { requiredKeys: [] },
)
const after = (first: Triage, changes: readonly TriageChange[]) =>
  changes.reduce((change, each, at) => triaged(change, each, plus(NOW, at)), first)

test('after any marks, taking them back leaves exactly what the scorer said', () => {
  fc.assert(
    fc.property(scored, fc.array(change), (first, changes) => {
      const { relevance, sentiment: said } = first
      const restored = triaged(after(first, changes), { relevant: null, sentiment: null }, NOW)
      expect(restored).toMatchObject({
        relevance,
        sentiment: said,
        markedAt: null,
        originalRelevance: null,
        originalSentiment: null,
      })
      expect(countsOf(restored)).toEqual(countsOf(first))
    }),
  )
})

test('what is marked counts, whatever the scorer said and whatever was marked before', () => {
  fc.assert(
    fc.property(scored, fc.array(change), fc.boolean(), sentiment, (first, changes, relevant, meant) => {
      const marked = triaged(after(first, changes), { relevant, sentiment: meant }, NOW)
      expect([marked.relevance, marked.sentiment]).toEqual([relevant ? 100 : 0, meant])
      expect([marked.originalRelevance, marked.originalSentiment]).toEqual([first.relevance, first.sentiment])
      expect(countsOf(marked)).toMatchObject({
        relevant: Number(relevant),
        markedRelevant: Number(relevant),
        markedNotRelevant: Number(!relevant),
      })
    }),
  )
})

test('the same change again changes nothing and leaves no line', () => {
  fc.assert(
    fc.property(scored, fc.array(change), change, (first, changes, last) => {
      const once = triaged(after(first, changes), last, plus(NOW, 1000))
      const twice = triaged(once, last, plus(NOW, 2000))
      expect(twice).toEqual(once)
      expect(differences(once, twice)).toEqual([])
    }),
  )
})

test('a line is left for each field that is another, and for no more', () => {
  fc.assert(
    fc.property(scored, fc.array(change), change, (first, changes, last) => {
      const before = after(first, changes)
      const lines = differences(before, triaged(before, last, NOW))
      const fields = lines.map(({ field }) => field)
      expect(new Set(fields).size).toBe(fields.length)
      const named = Object.keys(last).map((key) => (key === 'assigneeId' ? 'assignee' : key))
      // A status may end a snooze that was not named.
      for (const field of fields)
        expect([...named, ...(fields.includes('status') ? ['snoozedUntil'] : [])]).toContain(field)
      for (const { field, from, to } of lines) if (field !== 'note') expect(from).not.toEqual(to)
    }),
  )
})

test('a snooze lasts until it is ended or the status is another', () => {
  fc.assert(
    fc.property(scored, until, change, (first, snoozedUntil, last) => {
      const snoozed = { ...first, snoozedUntil }
      const { snoozedUntil: then } = triaged(snoozed, last, NOW)
      if (last.snoozedUntil !== undefined) expect(then).toEqual(last.snoozedUntil)
      else expect(then).toEqual(last.status === undefined || last.status === first.status ? snoozedUntil : null)
    }),
  )
})
