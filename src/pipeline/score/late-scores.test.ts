import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../../../test/metrics.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { eventually, posted, watched, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { GOOD, scriptedClassifier } from '../../../test/stand-ins/scripted-classifier.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import type { Classifier, Scored } from '../../classify/contract.ts'
import { ingestPosts, type NewMention } from '../../commands/mentions/ingest-posts.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Database, DatabaseUnavailable, sql } from '../../store/database.ts'
import { SCORE_LEASE_MS } from '../store/store-posts.ts'
import { ScoreStage } from './score.ts'

let keywordId: Uuid
let endings: (() => Promise<void>)[]

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await liftWelcomeLimits(world)
  keywordId = await watched(acme, 'Acme')
  endings = []
})
afterEach(async () => {
  for (const end of endings) await whileTimePasses(world.clock, end())
})

/** A classifier that takes a second look at every post with "unsure" in it, for as long as a test wants. */
interface Slow extends Classifier {
  readonly asked: string[]
  /** Ends the second looks that were begun so far. */
  answer(scored?: Scored): void
}

function slowClassifier(): Slow {
  const asked: string[] = []
  const open = new Set<(scored: Scored) => void>()
  const first = scriptedClassifier()
  return {
    ...first,
    asked,
    scoreAtOnce: first.score,
    answer(scored = { verdict: { ...GOOD, note: 'The second look.' } }) {
      for (const go of open) go(scored)
      open.clear()
    },
    async scoreEach(subjects, signal) {
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
      aborted.catch(() => undefined)
      return subjects.map(({ post }) => {
        if (!post.text.includes('unsure')) return { verdict: GOOD }
        asked.push(post.text)
        return Promise.race([new Promise<Scored>((resolve) => open.add(resolve)), aborted])
      })
    },
  }
}

function started(
  classifier: Classifier,
  db: Database = world.db,
): Pick<ScoreStage, 'add' | 'wake'> & { stop(): Promise<void> } {
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
    db,
    clock: world.clock,
    log: silentLog,
    metrics: createMetrics(),
    metered: true,
    classifier,
    deliver,
  })
  const ending = new AbortController()
  const running = stage.run(ending.signal)
  const stop = () => {
    ending.abort()
    return running
  }
  endings.push(stop)
  return { add: (mentions, signal) => stage.add(mentions, signal), wake: stage.wake, stop }
}

async function made(texts: readonly string[], leaseMs = SCORE_LEASE_MS): Promise<NewMention[]> {
  const at = world.clock.now()
  const matched = texts.map((text) => ({
    ...posted(at, text),
    words: [],
    authorKeys: [],
    keywords: [{ workspaceId: acme.workspaceId, keywordId }],
  }))
  return await world.db.transaction((tx) =>
    ingestPosts(tx, matched, { at, metered: true, leasedUntil: plus(at, leaseMs) }),
  )
}

const figure = async (statement: ReturnType<typeof sql<{ n: number }>>) =>
  (await world.db.query<{ n: number }>(statement))[0]!.n
const scored = () => figure(sql`select count(*) as n from mention where scored_at is not null`)
const second = () => figure(sql`select count(*) as n from mention where note = 'The second look.'`)
const billed = () => figure(sql`select coalesce(sum(billable), 0) as n from usage_day`)
const failed = () => figure(sql`select count(*) as n from mention where failed`)
const leasedBeyond = (ms: number) =>
  figure(sql`select count(*) as n from score_queue where leased_until > ${plus(world.clock.now(), ms)}`)
const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })
const numbered = (word: string, count: number) => Array.from({ length: count }, (_, at) => `Acme ${word} ${at}`)

describe('scores that come later', () => {
  test('hold up nothing that needs no second look, and are recorded as they come, each once', async () => {
    const classifier = slowClassifier()
    const stage = started(classifier)
    await stage.add(await made([...numbered('unsure', 30), ...numbered('sure', 300)]))
    await stage.add(await made(numbered('sure too', 300)))
    await soon(async () => expect(await scored()).toBe(600))
    expect(classifier.asked).toHaveLength(30)
    classifier.answer()
    await soon(async () => expect(await scored()).toBe(630))
    expect([await second(), await billed()]).toEqual([30, 630])
    expect(await figure(sql`select count(*) as n from score_queue`)).toBe(0)
  })

  test('stay the own ones of their process for as long as it takes: no other takes them up, nor it itself again', async () => {
    const classifier = slowClassifier()
    const stage = started(classifier)
    await stage.add(await made(numbered('unsure', 3)))
    await soon(() => expect(classifier.asked).toHaveLength(3))
    const other = scriptedClassifier()
    started(other)
    // Six leases pass, in steps that leave the database its time: each waits until the leases are renewed.
    for (let passed = 0; passed < 6 * SCORE_LEASE_MS; passed += 1000) {
      await world.clock.advance(1000)
      await soon(async () => expect(await leasedBeyond(SCORE_LEASE_MS / 2)).toBe(3), 0)
    }
    expect([other.asked, classifier.asked.length]).toEqual([[], 3])
    classifier.answer()
    await soon(async () => expect(await second()).toBe(3))
    expect(await billed()).toBe(3)
  })

  test('of a process that died, or lost the database, are made by another once the lease is over, and charged once', async () => {
    let away = false
    const gone = <Result>(work: () => Promise<Result>) =>
      away ? Promise.reject(new DatabaseUnavailable(new Error('gone'))) : work()
    const db: Database = {
      ...world.db,
      run: (name, text, values) => gone(() => world.db.run(name, text, values)),
      transaction: (work) => gone(() => world.db.transaction(work)),
    }
    const dying = slowClassifier()
    const stage = started(dying, db)
    await stage.add(await made(['Acme unsure']))
    await soon(() => expect(dying.asked).toHaveLength(1))
    await soon(async () => expect(await leasedBeyond(SCORE_LEASE_MS - 1000)).toBe(1), 0)
    away = true
    const other = scriptedClassifier()
    started(other)
    const sinceMs = world.clock.monotonicMs()
    await soon(async () => expect(await scored()).toBe(1), 500)
    expect(world.clock.monotonicMs() - sinceMs).toBeGreaterThanOrEqual(SCORE_LEASE_MS - 2000)
    // The first was only cut off: what it brings afterwards changes nothing.
    away = false
    dying.answer()
    await soon(async () => expect(await figure(sql`select count(*) as n from score_queue`)).toBe(0))
    expect([await second(), await billed(), other.asked]).toEqual([0, 1, ['Acme unsure']])
  })

  test('do not keep a process from ending, and are made by the next start', async () => {
    const classifier = slowClassifier()
    const stage = started(classifier)
    await stage.add(await made(['Acme unsure', 'Acme sure']))
    await soon(async () => expect([classifier.asked.length, await scored()]).toEqual([1, 1]))
    await stage.stop()
    expect([await scored(), await failed()]).toEqual([1, 0])
    started(scriptedClassifier())
    await soon(async () => expect(await scored()).toBe(2), 500)
    expect([await failed(), await billed()]).toEqual([0, 2])
  })

  test('are recorded before a process ends when they come in time', async () => {
    const classifier = slowClassifier()
    const { scoreEach } = classifier
    // Unlike the others these do not hear the signal: a call on its way is let come back.
    const stage = started({
      ...classifier,
      scoreEach: (subjects) => scoreEach!(subjects, new AbortController().signal),
    })
    await stage.add(await made(numbered('unsure', 3)))
    await soon(() => expect(classifier.asked).toHaveLength(3))
    const stopped = stage.stop()
    classifier.answer()
    await stopped
    expect([await second(), await billed()]).toEqual([3, 3])
  })

  test('are not waited for where a mention was left without a score too often', async () => {
    const classifier = slowClassifier()
    await made(numbered('unsure', 3), 0)
    await world.db.query(
      sql`update score_queue set attempts = 3 where mention_id in (select mention_id from score_queue
          order by mention_id limit 2)`,
    )
    started(classifier)
    await soon(async () => expect([await scored(), classifier.asked.length]).toEqual([2, 1]))
    expect([await failed(), await second(), await billed()]).toEqual([0, 0, 2])
    classifier.answer()
    await soon(async () => expect(await second()).toBe(1))
  })

  test('may be that a mention could not be scored', async () => {
    const classifier = slowClassifier()
    const stage = started(classifier)
    await stage.add(await made(['Acme unsure']))
    await soon(() => expect(classifier.asked).toHaveLength(1))
    classifier.answer({ failed: 'out of memory' })
    await soon(async () => expect(await failed()).toBe(1))
    expect(await billed()).toBe(0)
  })
})
