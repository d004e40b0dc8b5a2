import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../../test/clock.ts'
import { newUuid, type Uuid } from '../../../kernel/ids.ts'
import type { Database } from '../../../store/database.ts'
import { SPACING_MS } from '../pace.ts'
import { createAroundSlack } from './around-slack.ts'

const NO_DATABASE = { transaction: () => Promise.reject(new Error('nothing is written')) } as unknown as Database

function setUp() {
  const clock = createTestClock()
  const { before, after } = createAroundSlack({ db: NO_DATABASE, clock })
  const [channelId, other] = [newUuid(clock.now()), newUuid(clock.now())]
  const ask = (deliveryId: Uuid, at = channelId, kind: 'mention' | 'test' = 'mention') =>
    before!({ workspaceId: channelId, channelId: at, kind, deliveryId, mentionId: null })
  return { clock, ask, after: after!, channelId, other }
}

test('one channel gets a message a second; a whole line is put off once and goes in its order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (count) => {
      const { clock, ask } = setUp()
      const begun = clock.now().getTime()
      let line = Array.from({ length: count }, (_, place) => ({
        place,
        id: newUuid(clock.now()),
        dueMs: begun,
        putOff: 0,
      }))
      const sentMs: number[] = []
      while (line.length > 0) {
        const due = line.filter(({ dueMs }) => dueMs <= clock.now().getTime())
        for (const item of due) {
          const answer = await ask(item.id)
          if (answer.kind === 'go') {
            sentMs[item.place] = clock.now().getTime() - begun
            line = line.filter((other) => other !== item)
          } else if (answer.kind === 'defer') {
            item.dueMs = answer.until.getTime()
            item.putOff += 1
            expect(item.putOff).toBe(1)
          }
        }
        await clock.advance(250)
      }
      expect(sentMs).toEqual(Array.from({ length: count }, (_, place) => place * SPACING_MS))
    }),
    { numRuns: 10 },
  )
})

test('channels do not wait for each other, and a test does not wait at all', async () => {
  const { clock, ask, other } = setUp()
  expect((await ask(newUuid(clock.now()))).kind).toBe('go')
  expect((await ask(newUuid(clock.now()))).kind).toBe('defer')
  expect((await ask(newUuid(clock.now()), other)).kind).toBe('go')
  expect((await ask(newUuid(clock.now()), undefined, 'test')).kind).toBe('go')
})

test('one that is asked about before its turn keeps it', async () => {
  const { clock, ask } = setUp()
  await ask(newUuid(clock.now()))
  const late = newUuid(clock.now())
  const [first, second] = [await ask(late), await ask(late)]
  expect(second).toEqual(first)
})

test('when Slack asks for patience, what follows waits for so long without an attempt', async () => {
  const { clock, ask, after, channelId } = setUp()
  const id = newUuid(clock.now())
  await ask(id)
  const sending = { workspaceId: channelId, channelId, kind: 'mention' as const, deliveryId: id, mentionId: null }
  const reply = { status: 429, durationMs: 1, replyExcerpt: null, learned: { worthlessToken: null, isBusy: true } }
  await after(sending, { outcome: 'temporary', reason: 'status 429', retryAfterSeconds: 30, ...reply })
  const answer = await ask(newUuid(clock.now()))
  expect(answer).toMatchObject({ kind: 'defer', until: new Date(clock.now().getTime() + 30_000) })
})

test('when Slack asks for patience, with whatever status, none of those who wait already is attempted', async () => {
  for (const status of [429, 200]) {
    const { clock, ask, after, channelId } = setUp()
    const ids = Array.from({ length: 20 }, () => newUuid(clock.now()))
    for (const id of ids) await ask(id)
    const sending = {
      workspaceId: channelId,
      channelId,
      kind: 'mention' as const,
      deliveryId: ids[0]!,
      mentionId: null,
    }
    const reply = { status, durationMs: 1, replyExcerpt: null, learned: { worthlessToken: null, isBusy: true } }
    await after(sending, { outcome: 'temporary', reason: 'patience', retryAfterSeconds: 60, ...reply })
    for (const id of ids.slice(1)) {
      await clock.advance(1000)
      expect((await ask(id)).kind).toBe('defer')
    }
  }
})
