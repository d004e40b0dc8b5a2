import { beforeEach, expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import { createMetrics } from '../../../test/metrics.ts'
import { contextOf } from '../../../test/stand-ins/pipeline.ts'
import { searchable } from '../../../test/stand-ins/sources.ts'
import { useFreshWorld } from '../../../test/use-world.ts'
import type { Post } from '../../domain/post/post.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Source, SourceFault } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'
import { createEnrich, type Enrich } from './enrich.ts'

const LIMIT_MS = 5 * SECOND_MS
const REST_MS = 30 * SECOND_MS

let enrich: Enrich
let plain: Post
let filled: Post

const world = useFreshWorld()
beforeEach(() => {
  enrich = createEnrich({
    db: world.db,
    clock: world.clock,
    log: silentLog,
    metrics: createMetrics(),
    contextFor: contextOf(silentLog),
  })
  plain = madeUpPost(world.clock.now(), 'Acme')
  filled = { ...plain, title: 'filled in' }
})

/** A platform that answers, fails or keeps silent as a test says. */
function createPlatform(behaviour: 'answers' | 'fails' | 'is silent') {
  const platform = { behaviour, asked: 0 }
  const source: Source = {
    ...searchable('github', async function* () {}),
    async enrich({ signal }) {
      platform.asked += 1
      if (platform.behaviour === 'fails') throw new SourceFault('unavailable', 'no profiles today')
      // As sources do it: being cut short is no fault, and what they have by then is answered.
      if (platform.behaviour === 'is silent')
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return [signal.aborted ? plain : filled]
    },
  }
  return Object.assign(platform, { ask: (signal = new AbortController().signal) => enrich(source, [plain], signal) })
}

test('a platform that never answers holds up one batch, and none after a rest', async () => {
  const platform = createPlatform('is silent')
  const first = platform.ask()
  await world.clock.advance(LIMIT_MS)
  expect(await first).toEqual([plain])
  expect(await platform.ask()).toEqual([plain])
  expect(platform.asked).toBe(1)
  for (const asked of [2, 3]) {
    await world.clock.advance(REST_MS)
    // The clock stands still: whoever waited for the platform would wait for ever.
    expect(await platform.ask()).toEqual([plain])
    expect(await platform.ask()).toEqual([plain])
    expect(platform.asked).toBe(asked)
    await world.clock.advance(LIMIT_MS)
  }
})

test.each(['fails', 'is silent'] as const)(
  'a platform that %s and then answers fills posts in again after a rest',
  async (behaviour) => {
    const platform = createPlatform(behaviour)
    const first = platform.ask()
    await world.clock.advance(LIMIT_MS)
    expect(await first).toEqual([plain])
    platform.behaviour = 'answers'
    expect(await platform.ask()).toEqual([plain])
    await world.clock.advance(REST_MS)
    expect(await platform.ask()).toEqual([plain])
    await world.clock.advance(0)
    expect(await platform.ask()).toEqual([filled])
  },
)

test('somebody else finds out whether it answers when the one who tried has ended', async () => {
  const platform = createPlatform('fails')
  await platform.ask()
  await world.clock.advance(REST_MS)
  platform.behaviour = 'is silent'
  const ended = new AbortController()
  expect(await platform.ask(ended.signal)).toEqual([plain])
  ended.abort()
  await world.clock.advance(0)
  platform.behaviour = 'answers'
  expect(await platform.ask()).toEqual([plain])
  await world.clock.advance(0)
  expect(await platform.ask()).toEqual([filled])
})

test('a platform that asks for a pause has it under the platform whose quotas it shares', async () => {
  const source: Source = {
    ...searchable('stackexchange', async function* () {}, { countsWith: 'stackoverflow' }),
    async enrich() {
      throw new SourceFault('throttled', 'slow down', { retryAfterSeconds: 77 })
    },
  }
  expect(await enrich(source, [plain], new AbortController().signal)).toEqual([plain])
  const paused = await world.db.query(sql`select platform from source_pace where quota = ''`)
  expect(paused).toEqual([{ platform: 'stackoverflow' }])
})
