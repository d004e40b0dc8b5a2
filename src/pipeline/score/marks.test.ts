import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { createMetrics } from '../../../test/metrics.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { eventually, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { createOfflineClassifier } from '../../classify/offline/index.ts'
import { toId } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Database, sql } from '../../store/database.ts'
import { MarksMemory } from './marks.ts'
import { ScoreStage } from './score.ts'

let keyword: TestKeyword
const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await liftWelcomeLimits(world)
  keyword = await makeKeyword(acme, { term: 'Comet' })
})

const TOOLS = ['bathroom sink', 'kitchen tiles', 'old bathtub', 'greasy oven', 'toilet bowl']
const LAPTOPS = ['battery', 'keyboard', 'screen', 'charger', 'fan']
const cleaning = (thing: string) => `scrubbed the ${thing} with comet powder and bleach, every stain came off`
const laptop = (part: string) => `the ${part} of my comet laptop broke again, support sent a new ${part}`

async function marked(texts: readonly string[], relevant: boolean): Promise<string[]> {
  const made = await Promise.all(texts.map((text) => mention(world, keyword, { text })))
  await score(world, made)
  const ids = made.map((mention) => toId('mtn', mention.mentionId))
  expect((await acme.api('PATCH', '/v1/mentions', { ids, relevant })).status).toBe(200)
  return ids
}

/** The relevance that a stage of its own, as another process would have, gives a new post. */
async function scoreOf(text: string): Promise<number> {
  const made = await mention(world, keyword, { text })
  const classifier = await createOfflineClassifier()
  const deliver = {
    begin: () => ({
      leasedUntil: world.clock.now(),
      admits: () => false,
      complete: () => undefined,
      abandon: () => undefined,
    }),
    pace: async () => undefined,
  }
  const stage = new ScoreStage({
    db: world.db,
    clock: world.clock,
    log: silentLog,
    metrics: createMetrics(),
    metered: true,
    classifier,
    deliver,
  })
  const ending = new AbortController()
  await stage.add([made])
  const running = stage.run(ending.signal)
  let relevance: number | null = null
  const look = async () => {
    const [row] = await world.db.query<{ relevance: number | null }>(
      sql`select relevance from mention where id = ${made.mentionId}`,
    )
    relevance = row!.relevance
    expect(relevance).not.toBeNull()
  }
  try {
    await eventually(look, { clock: world.clock })
  } finally {
    ending.abort()
    await whileTimePasses(world.clock, running)
    await classifier.close()
  }
  return relevance!
}

test('posts like those that the team marked as noise score as noise from then on, until the marks are taken back', async () => {
  const fresh = cleaning('shower')
  expect(await scoreOf(fresh)).toBeGreaterThanOrEqual(40)
  const noise = await marked(TOOLS.map(cleaning), false)
  await marked(LAPTOPS.map(laptop), true)
  expect(await scoreOf(`${fresh}!`)).toBeLessThan(40)
  expect(await scoreOf(laptop('hinge'))).toBeGreaterThanOrEqual(70)
  expect((await acme.api('PATCH', '/v1/mentions', { ids: noise, relevant: null })).status).toBe(200)
  expect(await scoreOf(`${fresh}!!`)).toBeGreaterThanOrEqual(40)
})

test('a batch asks for marks only when a keyword has new ones, and mentions of one keyword are given the same list', async () => {
  let statements = 0
  const run: Database['run'] = (...given) => {
    statements += 1
    return world.db.run(...given)
  }
  const counting: Database = Object.create(world.db, { run: { value: run } })
  const memory = new MarksMemory(counting)
  const first = await mention(world, keyword, { text: 'comet one' })
  expect((await memory.of([first]))(first)).toEqual([])
  expect(statements).toBe(0)
  await marked(['comet noise'], false)
  const [second, third] = [
    await mention(world, keyword, { text: 'comet two' }),
    await mention(world, keyword, { text: 'comet three' }),
  ]
  const of = await memory.of([second, third])
  expect(of(second)).toEqual([{ relevant: false, sentiment: null, text: 'comet noise' }])
  expect(of(third)).toBe(of(second))
  // One that was made before the mark is judged by what is known by now.
  expect((await memory.of([first, second]))(first)).toBe(of(second))
  expect(statements).toBe(1)
})
