import { expect, test } from 'vitest'
import { liveBytes } from '../../../test/live-bytes.ts'
import { eventually } from '../../../test/stand-ins/pipeline.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { pruneWords, readTermFlow } from '../../store/counts/word-flow.ts'
import { sql } from '../../store/database.ts'
import { WordFlow } from './word-flow.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('what is read tells a new keyword that its term is common, and nothing of it is left weeks later', async () => {
  const ending = new AbortController()
  const words = new WordFlow({ db: world.db, clock: world.clock, log: silentLog, signal: ending.signal })
  // Five posts a second, for seven minutes: every tenth is about an apple pie, every other one about something of its
  // own.
  for (let second = 0; second < 420; second += 1) {
    const texts = Array.from({ length: 5 }, (_, place) => {
      const number = 5 * second + place
      return number % 10 === 0
        ? `An Apple pie, apple #${number}`
        : number % 10 < 3
          ? 'orange juice'
          : `Something about ${number.toString(36)}x`
    })
    words.note(100, texts)
    await world.clock.advance(SECOND_MS)
  }
  // What was counted is written down every few minutes, beside everything else.
  await eventually(
    async () => expect((await readTermFlow(world.db, 'apple', world.clock.now())).sampled).toBeGreaterThan(2000),
    {
      clock: world.clock,
      stepMs: MINUTE_MS,
    },
  )
  const flow = await readTermFlow(world.db, 'apple', world.clock.now())
  expect(Math.abs(flow.holding - flow.sampled / 10)).toBeLessThan(10)
  expect((await readTermFlow(world.db, 'apple pie', world.clock.now())).holding).toBe(flow.holding)
  expect((await readTermFlow(world.db, 'pie apple', world.clock.now())).holding).toBe(flow.holding)
  // A word of a single post is counted by its hash alone.
  expect(await world.db.query(sql`select 1 from word_count where words like '%x' and posts < 4`)).toEqual([])

  const create = async (body: object) => (await acme.api('POST', '/v1/keywords', { muted: true, ...body })).body
  const made = await create({ term: 'Apple', requestId: '018f2c4e-0000-4000-8000-0000000000aa' })
  expect(made.hints).toMatchObject([
    {
      code: 'common_word',
      message: expect.stringContaining(`in ${flow.holding} of ${flow.sampled.toLocaleString('en')} posts`),
    },
  ])
  expect(await create({ term: 'Apple', requestId: '018f2c4e-0000-4000-8000-0000000000aa' })).toEqual(made)
  expect((await create({ term: 'apple pie' })).hints).toMatchObject([{ code: 'common_phrase' }])
  expect((await create({ term: 'apple-juice' })).hints).toEqual([])
  expect((await create({ term: 'orange', matching: { requiredTerms: ['acme'] } })).hints).toEqual([])
  expect((await acme.api('GET', `/v1/keywords/${made.id}`)).body).not.toHaveProperty('hints')

  await world.clock.advance(15 * DAY_MS)
  await pruneWords(world.db, world.clock.now())
  const left = sql`select (select count(*) from word_count) + (select count(*) from word_companion) + (select count(*)
      from word_week) as count`
  expect(await world.db.query(left)).toEqual([{ count: 0 }])
  ending.abort()
  await words.ended
})

test('hostile text costs no more than it is long, and no word is too long to be kept', async () => {
  const ending = new AbortController()
  const words = new WordFlow({ db: world.db, clock: world.clock, log: silentLog, signal: ending.signal })
  const hostile = [
    'a'.repeat(2000),
    '人'.repeat(2000),
    '\ud800'.repeat(2000),
    `${'x_'.repeat(500)}`,
    "'; drop table word_count; --",
  ]
  for (let round = 0; round < 10; round += 1) {
    words.note(5, hostile)
    await world.clock.advance(SECOND_MS)
  }
  await eventually(
    async () => {
      const [row] = await world.db.query<{ longest: number | null }>(
        sql`select max(length(words)) as longest from word_count`,
      )
      expect(row!.longest).toBeGreaterThan(1)
      expect(row!.longest).toBeLessThanOrEqual(80)
    },
    { clock: world.clock, stepMs: MINUTE_MS },
  )
  ending.abort()
  await words.ended
})

test('the words that are kept do not keep the posts in which they stood', async () => {
  const ending = new AbortController()
  let ms = 0
  const clock: Clock = {
    ...world.clock,
    monotonicMs: () => {
      ms += SECOND_MS
      return ms
    },
    wait: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
  }
  const words = new WordFlow({ db: world.db, clock, log: silentLog, signal: ending.signal })
  const before = liveBytes()
  // One word of each text is kept; the rest of it is too long to be a term.
  for (let number = 0; number < 15_000; number += 1)
    words.note(1, [`${'x'.repeat(1900)}${number} neverending${3_000_000 + (number % 3000)}`])
  expect(liveBytes() - before).toBeLessThan(3_000_000)
  ending.abort()
  await words.ended
})
