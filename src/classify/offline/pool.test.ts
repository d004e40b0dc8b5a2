import { EventEmitter } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import type { ThreadHandle } from '../../kernel/thread.ts'
import { subjectFor } from '../conformance.suite.ts'
import type { Scored } from '../contract.ts'
import { unpack } from './packed-batch.ts'
import { ScoringPool } from './pool.ts'
import type { ToThread } from './thread.ts'

const NEVER = new AbortController().signal
const KILLER = 'this one ends every thread'
const pools: ScoringPool[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

/** Threads that answer with the text itself, and die of one text; `begins` says whether they come up at all. */
function poolOf(count: number, { begins = true }: { begins?: boolean } = {}) {
  const seen = { spawned: 0, ended: 0, largest: 0, holding: 0 }
  const pool = new ScoringPool({
    count,
    spawn() {
      seen.spawned += 1
      return standIn(seen, begins)
    },
  })
  pools.push(pool)
  return { pool, seen }
}

function standIn(seen: { ended: number; largest: number; holding: number }, begins: boolean): ThreadHandle {
  const events = new EventEmitter()
  let alive = true
  const end = () => {
    if (!alive) return
    alive = false
    seen.ended += 1
    events.emit('exit', 1)
  }
  const work = ({ job, parcel }: ToThread) => {
    if (!alive) return
    const texts = unpack(parcel).map(({ post }) => post.text)
    seen.largest = Math.max(seen.largest, texts.length)
    if (texts.includes(KILLER)) return end()
    events.emit('message', { kind: 'scored', job, scored: texts.map((text): Scored => ({ failed: text })) })
  }
  setImmediate(() => (begins ? events.emit('message', { kind: 'ready' }) : end()))
  return {
    postMessage: (message: ToThread) => setImmediate(() => setImmediate(work, message)),
    on: events.on.bind(events) as unknown as ThreadHandle['on'],
    ref: () => (seen.holding += 1),
    unref: () => (seen.holding = 0),
    async terminate() {
      end()
      return 1
    },
  }
}

const subjects = (count: number, killers: readonly number[] = []) =>
  Array.from({ length: count }, (_, at) => subjectFor(killers.includes(at) ? KILLER : `text ${at}`))
const textsOf = (scored: readonly Scored[]) => scored.map((item) => ('failed' in item ? item.failed : ''))

describe('threads that score', () => {
  test.each([1, 3])('answer every subject in its order, with %d of them', async (count) => {
    const { pool, seen } = poolOf(count)
    const [first, second] = await Promise.all([pool.score(subjects(333), NEVER), pool.score(subjects(20), NEVER)])
    expect(textsOf(first)).toEqual(subjects(333).map(({ post }) => post.text))
    expect(textsOf(second)).toEqual(subjects(20).map(({ post }) => post.text))
    expect(seen).toMatchObject({ spawned: count, largest: 50, holding: 0 })
  })

  test('do not begin before there is work, and one batch of little work begins one', async () => {
    const { pool, seen } = poolOf(4)
    expect(seen.spawned).toBe(0)
    await pool.score(subjects(10), NEVER)
    expect(seen.spawned).toBe(1)
  })

  test('lose only the subjects that end a thread, which is replaced', async () => {
    const { pool, seen } = poolOf(2)
    const scored = textsOf(await pool.score(subjects(150, [0, 77, 149]), NEVER))
    for (const [at, text] of scored.entries()) {
      if ([0, 77, 149].includes(at)) expect(text).toMatch(/ended the thread/)
      else expect(text).toBe(`text ${at}`)
    }
    // Halving 50 subjects finds one in at most six deaths.
    expect(seen.spawned).toBeLessThanOrEqual(2 + 3 * 7)
    expect(textsOf(await pool.score(subjects(60), NEVER))).toHaveLength(60)
  })

  test('fail the batch as a whole when they cannot begin, rather than every subject', async () => {
    const { pool, seen } = poolOf(1, { begins: false })
    await expect(pool.score(subjects(120), NEVER)).rejects.toThrow(/ended with code 1/)
    expect(seen.spawned).toBeLessThan(5)
  })

  test('stop at once when they are told to, and serve the next batch', async () => {
    const { pool } = poolOf(1)
    const controller = new AbortController()
    const scoring = pool.score(subjects(500), controller.signal)
    controller.abort()
    await expect(scoring).rejects.toThrow()
    expect(textsOf(await pool.score(subjects(3), NEVER))).toEqual(['text 0', 'text 1', 'text 2'])
  })

  test('leave nobody waiting when they are closed', async () => {
    const { pool, seen } = poolOf(2)
    const scoring = pool.score(subjects(500), NEVER)
    const refused = expect(scoring).rejects.toThrow()
    await pool.close()
    await pool.close()
    await refused
    expect(seen.ended).toBe(seen.spawned)
    await expect(pool.score(subjects(3), NEVER)).rejects.toThrow(/closed/)
  })
})
