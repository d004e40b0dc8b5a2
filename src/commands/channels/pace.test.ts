import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { createPace, GROUP_MAX_A_MINUTE } from './pace.ts'

const START = new Date('2026-11-20T09:30:00.000Z')
const PRIVATE = { key: '42', isGroup: false }
const GROUP = { key: '-42', isGroup: true }

/** Lets deliveries ask, each again when it was told to, and answers when they went, in order. */
function sentThrough(chat: typeof PRIVATE, arrivalsMs: readonly number[]): number[] {
  const pace = createPace()
  const waiting = arrivalsMs.map((ms): { id: Uuid; at: number } => ({ id: newUuid(START), at: START.getTime() + ms }))
  const sent: number[] = []
  while (waiting.length > 0) {
    waiting.sort((a, b) => a.at - b.at)
    const next = waiting[0]!
    const until = pace.slotOf(next.id, chat, new Date(next.at))
    if (until === null) sent.push(waiting.shift()!.at)
    else next.at = until.getTime()
  }
  return sent.sort((a, b) => a - b)
}

const arrivals = fc.array(fc.integer({ min: 0, max: 90 * SECOND_MS }), { maxLength: 80 })

test('however messages come, one a second goes to a person', () => {
  fc.assert(
    fc.property(arrivals, (times) => {
      const sent = sentThrough(PRIVATE, times)
      expect(sent).toHaveLength(times.length)
      for (const [at, time] of sent.entries())
        if (at > 0) expect(time - sent[at - 1]!).toBeGreaterThanOrEqual(SECOND_MS)
    }),
  )
})

test('however messages come, twenty a minute go to a group', () => {
  fc.assert(
    fc.property(arrivals, (times) => {
      const sent = sentThrough(GROUP, times)
      for (const [at, time] of sent.entries()) {
        if (at > 0) expect(time - sent[at - 1]!).toBeGreaterThanOrEqual(SECOND_MS)
        if (at >= GROUP_MAX_A_MINUTE) expect(time - sent[at - GROUP_MAX_A_MINUTE]!).toBeGreaterThanOrEqual(MINUTE_MS)
      }
    }),
  )
})

test('each delivery is put off once, to its own turn', () => {
  const pace = createPace()
  const ids = Array.from({ length: 5 }, () => newUuid(START))
  const turns = ids.map((id) => pace.slotOf(id, PRIVATE, START))
  expect(turns).toEqual([null, ...[1, 2, 3, 4].map((seconds) => plus(START, seconds * SECOND_MS))])
  for (const [at, id] of ids.entries()) if (at > 0) expect(pace.slotOf(id, PRIVATE, turns[at]!)).toBeNull()
})

test('whoever comes back too early keeps their turn, and another chat has turns of its own', () => {
  const pace = createPace()
  const [first, second, other] = [newUuid(START), newUuid(START), newUuid(START)]
  pace.slotOf(first, PRIVATE, START)
  expect(pace.slotOf(second, PRIVATE, START)).toEqual(plus(START, SECOND_MS))
  expect(pace.slotOf(second, PRIVATE, plus(START, 10))).toEqual(plus(START, SECOND_MS))
  expect(pace.slotOf(other, GROUP, START)).toBeNull()
})

test('while the provider takes nothing, nobody goes, not even with a turn of before', () => {
  const pace = createPace()
  const [first, second] = [newUuid(START), newUuid(START)]
  pace.slotOf(first, PRIVATE, START)
  pace.slotOf(second, PRIVATE, START)
  const until = plus(START, 30 * SECOND_MS)
  pace.rest(PRIVATE.key, until)
  expect(pace.slotOf(second, PRIVATE, plus(START, SECOND_MS))).toEqual(until)
  expect(pace.slotOf(second, PRIVATE, until)).toBeNull()
})

test('a line of any length is sent to its end, one a second, each put off once', () => {
  const pace = createPace()
  const count = 30_000
  const comes = new Map<number, Uuid[]>([[START.getTime(), Array.from({ length: count }, () => newUuid(START))]])
  let [sent, putOff] = [0, 0]
  for (let second = 0; second < count; second += 1) {
    const now = plus(START, second * SECOND_MS)
    for (const id of comes.get(now.getTime()) ?? []) {
      const until = pace.slotOf(id, PRIVATE, now)?.getTime()
      if (until === undefined) sent += 1
      else {
        comes.set(until, [...(comes.get(until) ?? []), id])
        putOff += 1
      }
    }
    expect(sent).toBe(second + 1)
  }
  expect([sent, putOff]).toEqual([count, count - 1])
})

test.each([
  ['a person', PRIVATE],
  ['a group', GROUP],
])('what is overdue after a stall goes to %s one by one, and whoever waits behind it makes room', (_, chat) => {
  const pace = createPace()
  const waiting = Array.from({ length: 60 }, () => ({ id: newUuid(START), at: START.getTime() }))
  for (const item of waiting) item.at = pace.slotOf(item.id, chat, START)?.getTime() ?? Number.NaN
  // Nobody came for thirty seconds, except the first.
  const stalled = START.getTime() + 30 * SECOND_MS
  const line = waiting.slice(1).map((item) => ({ ...item, at: Math.max(item.at, stalled) }))
  const sent: number[] = [START.getTime()]
  let asked = 0
  while (line.length > 0) {
    line.sort((a, b) => a.at - b.at)
    const [next] = line
    asked += 1
    const until = pace.slotOf(next!.id, chat, new Date(next!.at))
    if (until !== null) next!.at = until.getTime()
    else sent.push(line.shift()!.at)
  }
  for (const [at, time] of sent.entries()) if (at > 0) expect(time - sent[at - 1]!).toBeGreaterThanOrEqual(SECOND_MS)
  if (chat.isGroup) {
    for (const [at, time] of sent.entries())
      if (at >= GROUP_MAX_A_MINUTE) expect(time - sent[at - GROUP_MAX_A_MINUTE]!).toBeGreaterThanOrEqual(MINUTE_MS)
  }
  expect(sent.at(-1)! - stalled).toBeLessThanOrEqual((chat.isGroup ? 4 * 60 : 61) * SECOND_MS)
  expect(asked).toBeLessThan(60 * 5)
})

test('a rest moves the whole line behind it, in its order and with its spacing', () => {
  const pace = createPace()
  const ids = Array.from({ length: 20 }, () => newUuid(START))
  const line = ids.map((id) => ({ id, at: pace.slotOf(id, PRIVATE, START)?.getTime() ?? 0 })).slice(1)
  const until = plus(START, MINUTE_MS)
  pace.rest(PRIVATE.key, until)
  const sent: [Uuid, number][] = []
  while (line.length > 0) {
    line.sort((a, b) => a.at - b.at)
    const turn = pace.slotOf(line[0]!.id, PRIVATE, new Date(line[0]!.at))
    if (turn === null) sent.push([line[0]!.id, line.shift()!.at])
    else line[0]!.at = turn.getTime()
  }
  expect(sent).toEqual(ids.slice(1).map((id, place) => [id, until.getTime() + place * SECOND_MS]))
})

test('who comes a little late takes the turn all the same, and the line is not put off for it', () => {
  const pace = createPace()
  const ids = Array.from({ length: 100 }, () => newUuid(START))
  const turns = ids.map((id) => pace.slotOf(id, PRIVATE, START) ?? START)
  for (const [at, id] of ids.entries())
    if (at > 0) expect(pace.slotOf(id, PRIVATE, plus(turns[at]!, (at * 37) % 400))).toBeNull()
})

test('all chats together get no more than the whole bears in a second, also after a stall', () => {
  const pace = createPace({ wholePerSecond: 25 })
  for (const stallMs of [0, 20 * SECOND_MS]) {
    const begun = START.getTime() + 10 * stallMs
    const line = Array.from({ length: 200 }, (_, chat) => ({
      id: newUuid(START),
      chat: { key: String(chat), isGroup: false },
      at: begun,
    }))
    const sent: number[] = []
    const waiting = line.filter((item) => {
      if (stallMs === 0) return true
      item.at = begun + stallMs
      const goes = pace.slotOf(item.id, item.chat, new Date(begun)) === null
      if (goes) sent.push(begun)
      return !goes
    })
    while (waiting.length > 0) {
      waiting.sort((a, b) => a.at - b.at)
      const next = waiting[0]!
      const until = pace.slotOf(next.id, next.chat, new Date(next.at))
      if (until !== null) next.at = until.getTime()
      else sent.push(waiting.shift()!.at)
    }
    for (const [at, time] of sent.entries())
      if (at >= 25) expect(time - sent[at - 25]!).toBeGreaterThanOrEqual(SECOND_MS)
    expect(sent.at(-1)! - begun - stallMs).toBeLessThanOrEqual(10 * SECOND_MS)
  }
})
