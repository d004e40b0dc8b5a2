import { afterEach, beforeEach, expect, test } from 'vitest'
import { liftWelcomeLimits } from '../../test/rows.ts'
import { obedient, startStandInModel } from '../../test/stand-ins/language-model.ts'
import { eventually, posted, watched, whileTimePasses } from '../../test/stand-ins/pipeline.ts'
import { GOOD, scriptedClassifier } from '../../test/stand-ins/scripted-classifier.ts'
import { useFreshWorld, useResource, useWorkspace } from '../../test/use-world.ts'
import { subjectFor } from '../classify/conformance.suite.ts'
import type { Classifier } from '../classify/contract.ts'
import { createHybridClassifier, sureFrom } from '../classify/hybrid/hybrid.ts'
import { createSecondVerdict } from '../classify/language-model/second-verdict.ts'
import { createClassifier } from '../classify/registry.ts'
import { ingestPosts } from '../commands/mentions/ingest-posts.ts'
import { DAY_MS, plus } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { ScoreStage } from '../pipeline/score/score.ts'
import { SCORE_LEASE_MS } from '../pipeline/store/store-posts.ts'
import { readModelCosts } from '../queries/model-costs.ts'
import { sql } from '../store/database.ts'
import { spendLostReservations } from '../store/model/model-costs.ts'
import type { Installation } from './installation.ts'
import { createMetrics } from './metrics.ts'
import { askingOf } from './model-asking.ts'
import { readSettings, type Settings } from './settings.ts'

let open: Classifier[]
const server = useResource(startStandInModel)
const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => {
  open = []
  server.asked.length = 0
  server.behave(obedient)
})
afterEach(async () => {
  for (const classifier of open) await classifier.close()
})

const NEVER = new AbortController().signal
const environment = (changes: Record<string, string> = {}) => ({
  CLASSIFIER: 'model',
  LANGUAGE_MODEL: 'openai',
  LANGUAGE_MODEL_URL: server.url,
  LANGUAGE_MODEL_NAME: 'small',
  LANGUAGE_MODEL_KEY: 'a-very-secret-key',
  LANGUAGE_MODEL_INPUT_USD: '1',
  LANGUAGE_MODEL_OUTPUT_USD: '4',
  ...changes,
})

function settingsWith(changes: Record<string, string>): Settings {
  return readSettings(environment(changes), { projectDir: '/srv', version: '1.0.0' })
}

function askingWith(changes: Record<string, string> = {}) {
  const installation = {
    services: world.services,
    settings: settingsWith(changes),
    log: world.services.log,
  } as unknown as Installation
  return askingOf({ installation, metrics: createMetrics() })
}

/** A classifier as a process makes it, by the settings of an environment. */
async function processWith(changes: Record<string, string> = {}): Promise<Classifier> {
  const classifier = await createClassifier(settingsWith(changes).classifier, {
    threads: 0,
    asking: await askingWith(changes),
  })
  open.push(classifier)
  return classifier
}
const notes = async (classifier: Classifier, texts: readonly string[]) =>
  (
    await classifier.score(
      texts.map((text) => subjectFor(text, { workspaceId: acme.workspaceId })),
      NEVER,
    )
  ).map((item) => 'verdict' in item && item.verdict.note)

test('a process without the setting asks nobody', async () => {
  expect(await askingWith({ CLASSIFIER: 'offline' })).toBeNull()
})

test('what calls cost is counted by workspace and day, and processes take verdicts that another has had', async () => {
  const [first, second] = [await processWith(), await processWith()]
  expect(await notes(first, ['acme is here', 'acme is there'])).toEqual([
    'Speaks of the product.',
    'Speaks of the product.',
  ])
  expect(await notes(second, ['acme is here', 'acme is there'])).toEqual([
    'Speaks of the product.',
    'Speaks of the product.',
  ])
  expect(server.asked).toHaveLength(1)
  expect(await readModelCosts(world.db, 1, world.clock.now())).toMatchObject([
    { workspace: 'Acme', calls: 1, inputTokens: 1000, outputTokens: 200, microUsd: 1800 },
  ])
  expect(await world.db.query(sql`select 1 from model_reservation`)).toEqual([])
})

test('two processes that ask the same at once make two calls at most', async () => {
  const processes = [await processWith(), await processWith()]
  await Promise.all(
    processes.flatMap((process) => [notes(process, ['acme is here']), notes(process, ['acme is here'])]),
  )
  expect(server.asked.length).toBeLessThanOrEqual(2)
})

test('a budget of nothing asks nothing, and says so in the note', async () => {
  const [note] = await notes(await processWith({ CLASSIFIER_DAILY_USD_CAP: '0' }), ['acme is here'])
  expect(note).toContain("(scored offline: the day's budget is spent)")
  expect(server.asked).toEqual([])
})

test('a call that a dead process had begun counts as paid, because it may have been, and leaves nothing else', async () => {
  server.behave(() => null)
  const dying = await processWith({ CLASSIFIER_DAILY_USD_CAP: '0.04' })
  const scored = dying.score([subjectFor('acme is here', { workspaceId: acme.workspaceId })], NEVER)
  scored.catch(() => undefined)
  while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  server.behave(obedient)
  const next = await processWith({ CLASSIFIER_DAILY_USD_CAP: '0.04' })
  expect((await notes(next, ['acme is there']))[0]).toContain('budget is spent')
  await world.clock.advance(15 * 60_000)
  expect(await spendLostReservations(world.db, world.clock.now())).toBe(1)
  expect((await notes(next, ['acme is there']))[0]).toContain('budget is spent')
  await world.clock.advance(DAY_MS)
  expect(await notes(next, ['acme is there'])).toEqual(['Speaks of the product.'])
})

test('no log names the key or what was asked', async () => {
  server.behave((_, count, response) => {
    response.writeHead(count === 1 ? 401 : 200).end('acme is here a-very-secret-key')
    return null
  })
  await notes(await processWith(), ['acme is here', 'acme is there'])
  const logged = JSON.stringify(world.logged)
  expect(logged).toContain('The language model did not answer in full')
  expect(logged).not.toMatch(/a-very-secret-key|acme is/)
})

test('a model that hangs holds up nothing but what needs it, and a process that ends meanwhile leaves that to the next, paid and charged once', async () => {
  await liftWelcomeLimits(world)
  const keywordId = await watched(acme, 'Acme')
  const at = world.clock.now()
  const texts = Array.from({ length: 40 }, (_, number) =>
    posted(at, `Acme ${number < 10 ? 'unsure' : 'sure'} ${number}`),
  )
  const matched = texts.map((text) => ({
    ...text,
    words: [],
    authorKeys: [],
    keywords: [{ workspaceId: acme.workspaceId, keywordId }],
  }))
  const mentions = await world.db.transaction((tx) =>
    ingestPosts(tx, matched, { at, metered: true, leasedUntil: plus(at, SCORE_LEASE_MS) }),
  )
  const deliver = {
    pace: async () => undefined,
    begin: () => ({ leasedUntil: at, admits: () => false, complete: () => undefined, abandon: () => undefined }),
  }
  const stageOf = (classifier: Classifier) => {
    const ending = new AbortController()
    const stage = new ScoreStage({
      db: world.db,
      clock: world.clock,
      log: silentLog,
      metrics: createMetrics(),
      metered: true,
      classifier,
      deliver,
    })
    const running = stage.run(ending.signal)
    const stop = () => {
      ending.abort()
      return whileTimePasses(world.clock, running)
    }
    return { stage, stop }
  }
  const figure = async (statement: ReturnType<typeof sql<{ n: number }>>) =>
    (await world.db.query<{ n: number }>(statement))[0]!.n
  const scored = () => figure(sql`select count(*) as n from mention where scored_at is not null`)

  server.behave(() => null)
  const hybrid = async () => {
    const first = scriptedClassifier(({ post }) => ({
      verdict: { ...GOOD, confidence: post.text.includes('unsure') ? 0.1 : 0.9 },
    }))
    const classifier = createHybridClassifier({
      name: 'hybrid',
      first,
      second: createSecondVerdict((await askingWith())!),
      isSure: sureFrom(0.6),
    })
    open.push(classifier)
    return classifier
  }
  const item = stageOf(await hybrid())
  await item.stage.add(mentions)
  await eventually(async () => expect(await scored()).toBe(30), { clock: world.clock })
  expect(server.asked.flatMap(({ mentions: asked }) => asked)).toHaveLength(10)
  await item.stop()
  expect(await scored()).toBe(30)

  server.behave(obedient)
  const other = stageOf(await hybrid())
  await eventually(async () => expect(await scored()).toBe(40), { clock: world.clock, stepMs: 500 })
  await other.stop()
  expect(await figure(sql`select count(*) as n from mention where note = 'Speaks of the product.'`)).toBe(10)
  expect(await figure(sql`select sum(billable) as n from usage_day`)).toBe(40)
  expect(await world.db.query(sql`select calls, micro_usd > 1800 as dear from model_day`)).toEqual([
    { calls: 2, dear: true },
  ])
  expect(await world.db.query(sql`select 1 from model_reservation`)).toEqual([])
})
