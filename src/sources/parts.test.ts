import { describe, expect, test } from 'vitest'
import { BARE_CONTEXT } from './bare-context.suite.ts'
import { type CollectContext, type Cursor, QuotaReached, type SourceBatch, SourceFault } from './contract.ts'
import { partsPoller } from './parts.ts'

const AT = new Date('2026-11-20T13:00:00Z')

/** Parts that count their polls in their cursor, and fail as told. */
function parts(names: readonly string[]) {
  const failing = new Map<string, SourceFault>()
  const asked: string[] = []
  const poll = partsPoller({
    platform: 'lemmy',
    names,
    concernsAll: ({ kind }) => kind === 'credentials',
    async *poll(_, name, cursor): AsyncIterable<SourceBatch> {
      asked.push(name)
      const fault = failing.get(name)
      if (fault) throw fault
      yield { events: [], cursor: { polls: Number(cursor?.['polls'] ?? 0) + 1 } }
    },
  })
  return {
    failing,
    asked,
    async run(cursor: Cursor | null, afterSeconds = 0) {
      asked.length = 0
      const context = { ...BARE_CONTEXT, at: new Date(AT.getTime() + afterSeconds * 1000) } as CollectContext
      let last = cursor
      try {
        for await (const batch of poll(context, cursor)) last = batch.cursor
        return { cursor: last, fault: null }
      } catch (error) {
        return { cursor: last, fault: error as SourceFault }
      }
    },
  }
}

const broken = (more = {}) => new SourceFault('unavailable', 'broken', more)

describe('a source of several parts', () => {
  test('keeps a cursor for each, forgets parts that are no longer named, and begins new ones', async () => {
    const first = await parts(['a.example', 'b.example']).run(null)
    expect(first.cursor).toEqual({ 'a.example|polls': 1, 'b.example|polls': 1 })
    expect((await parts(['b.example', 'c.example']).run(first.cursor)).cursor).toEqual({
      'b.example|polls': 2,
      'c.example|polls': 1,
    })
  })

  test('one failed part rests ever longer, and its siblings go on', async () => {
    const three = parts(['a', 'b', 'c'])
    three.failing.set('a', broken())
    const whenAsked: number[] = []
    for (let seconds = 0; seconds < 600; seconds += 30) {
      const { fault } = await three.run(null, seconds)
      expect([fault, three.asked.includes('b'), three.asked.includes('c')]).toEqual([null, true, true])
      if (three.asked.includes('a')) whenAsked.push(seconds)
    }
    expect(whenAsked).toEqual([0, 60, 180, 420])
    three.failing.clear()
    await three.run(null, 900)
    three.failing.set('a', broken())
    await three.run(null, 930)
    await three.run(null, 990)
    expect(three.asked).toContain('a')
  })

  test('a part rests for as long as it asks', async () => {
    const three = parts(['a', 'b', 'c'])
    three.failing.set('a', new SourceFault('throttled', 'slow', { retryAfterSeconds: 500 }))
    await three.run(null)
    await three.run(null, 499)
    expect(three.asked).toEqual(['b', 'c'])
    await three.run(null, 500)
    expect(three.asked).toEqual(['a', 'b', 'c'])
  })

  test('the platform is in trouble when more than half of its parts are, resting ones included', async () => {
    const three = parts(['a', 'b', 'c'])
    three.failing.set('a', broken())
    expect((await three.run(null)).fault).toBeNull()
    three.failing.set('b', broken())
    const both = await three.run(null, 30)
    expect([three.asked, both.fault]).toEqual([['b', 'c'], three.failing.get('b')])
    // The caller rests for all, so that the second is asked whenever the caller asks.
    three.failing.delete('b')
    expect((await three.run(null, 31)).fault).toBeNull()
    expect(three.asked).toEqual(['b', 'c'])
  })

  test('a fault of all ends the poll, and no part rests for it', async () => {
    for (const fault of [new SourceFault('credentials', 'no key'), new QuotaReached('used up', 60, true)]) {
      const three = parts(['a', 'b', 'c'])
      three.failing.set('b', fault)
      const { cursor, fault: thrown } = await three.run(null)
      expect([thrown, cursor, three.asked]).toEqual([fault, { 'a|polls': 1 }, ['a', 'b']])
      three.failing.clear()
      await three.run(null)
      expect(three.asked).toEqual(['b', 'c', 'a'])
    }
  })

  test('the poll after one that a fault ended begins at that part, and behind it when it ends that one too', async () => {
    const three = parts(['a', 'b', 'c'])
    const asked: string[] = []
    three.failing.set('b', new QuotaReached('used up', 60, false))
    let cursor: Cursor | null = null
    for (let polls = 0; polls < 4; polls += 1) {
      ;({ cursor } = await three.run(cursor))
      asked.push(three.asked.join(''))
    }
    expect(asked).toEqual(['ab', 'b', 'cab', 'b'])
    three.failing.clear()
    await three.run(cursor)
    expect(three.asked).toEqual(['c', 'a', 'b'])
    await three.run(cursor)
    expect(three.asked).toEqual(['a', 'b', 'c'])
  })

  test('a single part does not rest: its faults are the platform’s', async () => {
    const single = parts(['a'])
    single.failing.set('a', broken({ retryAfterSeconds: 500 }))
    expect((await single.run(null)).fault?.retryAfterSeconds).toBe(500)
    single.failing.clear()
    expect((await single.run(null, 1)).fault).toBeNull()
  })
})
