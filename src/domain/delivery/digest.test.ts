import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DIGEST_MAX, DIGEST_MAX_BYTES, type Digest, digestToSend } from './digest.ts'
import { buildEnvelope, MAX_PAYLOAD_BYTES } from './envelope.ts'

const digest = (top: string[], negative: string[] = [], buyingSignals: string[] = []): Digest<string> => ({
  period: { mode: 'daily', from: '2026-11-19T09:00:00.000Z', to: '2026-11-20T09:00:00.000Z', timezone: 'UTC' },
  counts: { matched: 100, relevant: 90, positive: 1, neutral: 2, negative: 3, buyIntent: 4 },
  platforms: [],
  ...{ top, negative, buyingSignals },
})

test('what fits is sent as it is', () => {
  const small = digest(['a', 'b'], ['b'], ['c'])
  expect(digestToSend(small)).toBe(small)
})

test('of what does not fit each part keeps its first mentions, the counts stay, and more would not fit', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 })
  const part = (max: number) => fc.array(text, { maxLength: max })
  fc.assert(
    fc.property(
      part(DIGEST_MAX.top),
      part(DIGEST_MAX.negative),
      part(DIGEST_MAX.buyingSignals),
      fc.integer({ min: 400, max: 6000 }),
      (top, negative, buying, max) => {
        const whole = digest(top, negative, buying)
        const sent = digestToSend(whole, max)
        expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThanOrEqual(max)
        expect(sent).toMatchObject({ period: whole.period, counts: whole.counts })
        for (const name of ['top', 'negative', 'buyingSignals'] as const)
          expect(sent[name]).toEqual(whole[name].slice(0, sent[name].length))
      },
    ),
    { numRuns: 50 },
  )
})

test('with the envelope around it the largest digest is still sent', () => {
  const largest = digestToSend(digest(Array.from({ length: 10 }, () => '"'.repeat(100_000))))
  expect(Buffer.byteLength(JSON.stringify(largest))).toBeLessThanOrEqual(DIGEST_MAX_BYTES)
  expect(largest.top.length).toBeGreaterThan(3)
  const alert = { id: `feed_${'0'.repeat(26)}`, name: '\u{1F600}'.repeat(80) }
  const body = buildEnvelope(
    { id: `dlv_${'0'.repeat(26)}`, kind: 'digest', event: 'x'.repeat(60), alerts: [alert], data: largest },
    new Date(0),
  )
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
})
