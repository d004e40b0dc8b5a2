import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../../../test/metrics.ts'
import { changeMention, empty, liftWelcomeLimits } from '../../../test/rows.ts'
import { eventually, posted, ruled, startPipeline, watched, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { GOOD, scriptedClassifier } from '../../../test/stand-ins/scripted-classifier.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import type { Classifier, Scored } from '../../classify/contract.ts'
import { ingestPosts, type NewMention } from '../../commands/mentions/ingest-posts.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { renderMetrics } from '../../kernel/metrics.ts'
import { type Database, DatabaseUnavailable, sql } from '../../store/database.ts'
import { claimUnscored, countAttemptAlone, type MentionRef } from '../../store/model/unscored.ts'
import { PENDING_MAX } from '../store/source-intake.ts'
import { QUEUE_MAX, ScoreStage } from './score.ts'

let keywordId: Uuid
let endings: (() => Promise<void>)[]

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  // Without the welcome credit's limit of 200 mentions.
  await liftWelcomeLimits(world)
  keywordId = await watched(acme, 'Acme')
  endings = []
})

afterEach(async () => {
  for (const end of endings) {
    const ended = end()
    await whileTimePasses(world.clock, ended)
  }
})

function stageWith(classifier: Classifier, db: Database = world.db): ScoreStage {
  return new ScoreStage({
    db,
    clock: world.clock,
    log: silentLog,
    metrics: createMetrics(),
    metered: true,
    classifier,
    deliver: leftToTheQueue,
  })
}

/** Takes nothing on from memory. */
const leftToTheQueue = {
  begin: () => ({
    leasedUntil: world.clock.now(),
    admits: () => false,
    complete: () => undefined,
    abandon: () => undefined,
  }),
  pace: async () => undefined,
}

function run(stage: ScoreStage): void {
  const ending = new AbortController()
  const running = stage.run(ending.signal)
  endings.push(() => {
    ending.abort()
    return running
  })
}

/** Stores mentions whose lease ends in so many milliseconds. */
async function made(texts: readonly string[], leaseMs: number): Promise<NewMention[]> {
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

async function scored(): Promise<number> {
  return (await world.db.query<{ n: number }>(sql`select count(*) as n from mention where scored_at is not null`))[0]!.n
}

async function billed(): Promise<number> {
  return (await world.db.query<{ n: number }>(sql`select coalesce(sum(billable), 0) as n from usage_day`))[0]!.n
}

const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })

describe('scoring', () => {
  test('begins with what an earlier process left behind, all of it and at once', async () => {
    await made(
      Array.from({ length: 450 }, (_, at) => `Acme ${at}`),
      0,
    )
    run(stageWith(scriptedClassifier()))
    await soon(async () => expect(await scored()).toBe(450), 0)
    expect(await billed()).toBe(450)
  })

  test('takes up what was left behind however much comes in new', async () => {
    const stage = stageWith(scriptedClassifier())
    run(stage)
    await soon(() => expect(world.clock.waits).toBe(1), 0)
    await made(['Acme left behind'], 0)
    const leftBehind = async () =>
      (
        await world.db.query(
          sql`select 1 from mention m join post p on p.id = m.post_id where body = 'Acme left behind'
              and scored_at is not null`,
        )
      ).length
    const addNew = async () => stage.add(await made(['Acme new'], 30_000))
    for (let passedMs = 0; passedMs < 6500; passedMs += 500) {
      await addNew()
      await world.clock.advance(500)
    }
    // That is all the time there is, however long the machine takes.
    await soon(async () => {
      await addNew()
      expect(await leftBehind()).toBe(1)
    }, 0)
  })

  test('is tried again after the classifier has thrown, once the lease is over, and charged once', async () => {
    let broken = true
    const classifier = scriptedClassifier(() => {
      if (broken) throw new Error('out of memory')
      return { verdict: GOOD }
    })
    const stage = stageWith(classifier)
    run(stage)
    await stage.add(await made(['Acme 1', 'Acme 2'], 30_000))
    await soon(() => expect(classifier.asked).toHaveLength(2), 0)
    broken = false
    const sinceMs = world.clock.monotonicMs()
    await soon(async () => expect(await scored()).toBe(2), 500)
    expect(world.clock.monotonicMs() - sinceMs).toBeGreaterThanOrEqual(29_000)
    expect(await billed()).toBe(2)
  })

  test('charges a mention once that is handed over twice', async () => {
    const stage = stageWith(scriptedClassifier())
    const mentions = await made(['Acme 1'], 0)
    await stage.add([...mentions, ...mentions])
    run(stage)
    await soon(async () => expect(await scored()).toBe(1))
    await stage.add([...mentions, ...(await made(['Acme 2'], 30_000))])
    await soon(async () => expect(await scored()).toBe(2))
    expect(await billed()).toBe(2)
  })

  test('charges and sends nothing for mentions that were removed while they waited', async () => {
    const classifier = scriptedClassifier()
    const stage = stageWith(classifier)
    await ruled(acme, 'http://127.0.0.1:9/')
    await stage.add(await made(['Acme 1'], 30_000))
    await empty(world, 'score_queue', 'mention')
    run(stage)
    await stage.add(await made(['Acme 2'], 30_000))
    await soon(async () => expect(await scored()).toBe(1))
    expect(await billed()).toBe(1)
    expect(await world.db.query(sql`select 1 from delivery`)).toHaveLength(1)
  })

  test('reads only what it was not given whole', async () => {
    const read: number[] = []
    const db: Database = {
      ...world.db,
      run: (name, text, values) => {
        if (name === 'read-unscored') read.push((values[1] as unknown[]).length)
        return world.db.run(name, text, values)
      },
    }
    const stage = stageWith(scriptedClassifier(), db)
    const [whole, named] = await made(['Acme 1', 'Acme 2'], 30_000)
    await stage.add([whole!, { workspaceId: named!.workspaceId, mentionId: named!.mentionId }])
    run(stage)
    await soon(async () => expect(await scored()).toBe(2))
    expect(read).toEqual([1])
  })

  test('respects a status that was set while a mention waited: nothing of it is sent', async () => {
    const stage = stageWith(scriptedClassifier())
    await ruled(acme, 'http://127.0.0.1:9/')
    const [first, second] = await made(['Acme 1', 'Acme 2'], 30_000)
    await changeMention(world, first!.mentionId, { status: 'ignored' })
    await stage.add([first!, second!])
    run(stage)
    await soon(async () => expect(await scored()).toBe(2))
    expect(await world.db.query(sql`select mention_id from delivery`)).toEqual([{ mention_id: second!.mentionId }])
  })

  test('goes on with the next batches while two are being written down, and no more than two', async () => {
    let writing = 0
    let most = 0
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const db: Database = {
      ...world.db,
      transaction: async (work) => {
        writing += 1
        most = Math.max(most, writing)
        await held
        const result = await world.db.transaction(work)
        writing -= 1
        return result
      },
    }
    const texts = (from: number) => Array.from({ length: 250 }, (_, at) => `Acme ${from + at}`)
    const mentions = [
      ...(await made(texts(0), 30_000)),
      ...(await made(texts(250), 30_000)),
      ...(await made(texts(500), 30_000)),
    ]
    const classifier = scriptedClassifier()
    const stage = stageWith(classifier, {
      ...db,
      run: (name, text, values) => (name === 'claim-unscored' ? Promise.resolve([]) : world.db.run(name, text, values)),
    })
    await stage.add(mentions)
    run(stage)
    await soon(() => expect(classifier.asked).toHaveLength(600), 0)
    expect(most).toBe(2)
    release()
    await soon(async () => expect(await scored()).toBe(750), 0)
    expect(most).toBe(2)
    expect(await billed()).toBe(750)
  })
})

describe('a mention that makes scoring fail', () => {
  const poison = () =>
    scriptedClassifier(({ post }) => {
      if (post.text.includes('poison')) throw new Error('out of memory')
      return { verdict: GOOD }
    })
  const failed = () =>
    world.db.query<{ body: string }>(sql`select p.body from mention m join post p on p.id = m.post_id where m.failed`)

  test('takes others along three times, is then tried alone, and counts as failed after five attempts', async () => {
    const classifier = poison()
    const stage = stageWith(classifier)
    run(stage)
    await stage.add(await made(['Acme 1', 'Acme poison', 'Acme 2'], 30_000))
    await soon(async () => expect(await scored()).toBe(2), 1000)
    expect(classifier.asked.filter((text) => text === 'Acme 1')).toHaveLength(4)
    expect(await failed()).toEqual([])
    await soon(async () => expect(await failed()).toEqual([{ body: 'Acme poison' }]), 1000)
    expect(classifier.asked.filter((text) => text === 'Acme poison')).toHaveLength(5)
    expect(await world.db.query(sql`select 1 from score_queue`)).toEqual([])
    expect(await billed()).toBe(2)
  })

  test('counts as failed without another attempt when no process lived to say what became of the last', async () => {
    const classifier = poison()
    await made(['Acme poison'], 0)
    await world.db.query(sql`update score_queue set attempts = 5`)
    run(stageWith(classifier))
    await soon(async () => expect(await failed()).toHaveLength(1), 0)
    expect(classifier.asked).toEqual([])
  })

  test('is told from those that wait behind it in processes that are killed', async () => {
    const texts = ['Acme poison', 'Acme 1', 'Acme 2']
    await made(texts, 0)
    for (let process = 0; process < 6; process += 1) {
      const claimed = await claimUnscored(world.db, {
        ...{ at: world.clock.now(), leasedUntil: world.clock.now(), limit: 10, together: 3 },
      })
      // Each of these is killed when it comes to the first that is scored alone.
      const first = claimed.find(({ attempts }) => attempts >= 3)
      if (first !== undefined) await countAttemptAlone(world.db, first)
    }
    run(stageWith(scriptedClassifier()))
    await soon(async () => expect(await scored()).toBe(3), 0)
    expect(await failed()).toHaveLength(1)
    expect(await billed()).toBe(2)
  })

  test('is not given up for an outage of the database', async () => {
    await made(['Acme'], 0)
    await world.db.query(sql`update score_queue set attempts = 3`)
    let away = true
    const db: Database = {
      ...world.db,
      transaction: (work) =>
        away ? Promise.reject(new DatabaseUnavailable(new Error('gone'))) : world.db.transaction(work),
    }
    const classifier = scriptedClassifier()
    run(stageWith(classifier, db))
    await soon(() => expect(classifier.asked).toHaveLength(1), 0)
    away = false
    await world.db.query(sql`update score_queue set attempts = 3`)
    await soon(async () => expect(await scored()).toBe(1), 1000)
    expect(await failed()).toEqual([])
  })
})

/** How many elements a column in the database's binary form has. */
const lengthOf = (column: Buffer) => column.readInt32BE(12)

describe('a batch from which very many deliveries follow', () => {
  test('is written down in several transactions, each mention once, and counted as it was written', async () => {
    for (let rules = 0; rules < 3; rules += 1) await ruled(acme, 'http://127.0.0.1:9/')
    const metrics = createMetrics()
    const sizes: number[] = []
    const db: Database = {
      ...world.db,
      transaction: (work) =>
        world.db.transaction((tx) => {
          const run: typeof tx.run = (name, text, values) => {
            if (name === 'score-deliveries') sizes.push(lengthOf(values[3] as Buffer))
            return tx.run(name, text, values)
          }
          return work({ ...tx, run })
        }),
    }
    const classifier = scriptedClassifier()
    const stage = new ScoreStage({
      db,
      clock: world.clock,
      log: silentLog,
      metrics,
      metered: true,
      classifier,
      deliver: leftToTheQueue,
      deliveriesMax: 7,
    })
    const mentions = await made(
      Array.from({ length: 5 }, (_, at) => `Acme ${at}`),
      30_000,
    )
    // Somebody else has scored one of them meanwhile.
    await world.db.query(sql`update mention set scored_at = now() where id = ${mentions[4]!.mentionId}`)
    await stage.add(mentions)
    run(stage)
    await soon(async () => expect(await billed()).toBe(4))
    expect(sizes).toEqual([6, 6])
    expect(classifier.asked).toHaveLength(5)
    await soon(async () =>
      expect(await renderMetrics(metrics)).toContain('earshot_mentions_scored_total{outcome="scored"} 4'),
    )
    const rows = await world.db.query(
      sql`select count(*) as n, count(distinct (mention_id, alert_id)) as different from delivery`,
    )
    expect(rows).toEqual([{ n: 12, different: 12 }])
  })
})

describe('while more is being delivered than is sent', () => {
  test('nothing is scored, and it goes on as soon as there is room', async () => {
    let go = (): void => undefined
    const room = new Promise<void>((resolve) => {
      go = resolve
    })
    const classifier = scriptedClassifier()
    const stage = new ScoreStage({
      ...{ db: world.db, clock: world.clock, log: silentLog, metrics: createMetrics(), metered: true, classifier },
      deliver: { ...leftToTheQueue, pace: () => room },
    })
    await stage.add(await made(['Acme'], 30_000))
    run(stage)
    await world.clock.advance(1000)
    expect([stage.length, classifier.asked.length]).toEqual([1, 0])
    go()
    await soon(async () => expect(await billed()).toBe(1))
  })
})

describe('the queue in memory', () => {
  const some = (count: number) =>
    Array.from(
      { length: count },
      (): MentionRef => ({ workspaceId: acme.workspaceId, mentionId: crypto.randomUUID() as Uuid }),
    )

  test('never holds more than its bound, and lets every source that waits for room go on', async () => {
    const stage = stageWith(scriptedClassifier())
    const done: string[] = []
    void stage.add(some(QUEUE_MAX - 10)).then(() => done.push('fits'))
    const waiting = [
      stage.add(some(500)).then(() => done.push('first')),
      stage.add(some(3 * QUEUE_MAX)).then(() => done.push('second')),
    ]
    await soon(() => expect(done).toEqual(['fits']))
    expect(stage.length).toBe(QUEUE_MAX)
    run(stage)
    await soon(() => {
      expect(stage.length).toBeLessThanOrEqual(QUEUE_MAX)
      expect(done).toEqual(['fits', 'first', 'second'])
    })
    await Promise.all(waiting)
  })

  test('lets whoever waits for room go when collecting ends', async () => {
    const stage = stageWith(scriptedClassifier())
    const ending = new AbortController()
    let done = 0
    const waiting = [1, 2].map(() => stage.add(some(QUEUE_MAX), ending.signal).then(() => (done += 1)))
    await soon(() => expect(done).toBe(1))
    ending.abort()
    await Promise.all(waiting)
    await stage.add(some(10), ending.signal)
    expect(stage.length).toBe(QUEUE_MAX)
  })

  test('is scored also while nobody can look for what was left behind', async () => {
    const db: Database = {
      ...world.db,
      run: (name, text, values) =>
        name === 'claim-unscored' ? Promise.reject(new Error('no memory')) : world.db.run(name, text, values),
    }
    const stage = stageWith(scriptedClassifier(), db)
    run(stage)
    await stage.add(await made(['Acme 1'], 30_000))
    await soon(async () => expect(await scored()).toBe(1))
  })

  test('does not keep the service from ending while it is full and the database is away', async () => {
    let release: () => void = () => undefined
    const stuck = new Promise<Scored>((resolve) => {
      release = () => resolve({ verdict: GOOD })
    })
    let away = false
    const unlessAway = <Result>(work: () => Promise<Result>) =>
      away ? Promise.reject(new DatabaseUnavailable(new Error('gone'))) : work()
    const db: Database = {
      ...world.db,
      query: (statement) => unlessAway(() => world.db.query(statement)),
      run: (name, text, values) => unlessAway(() => world.db.run(name, text, values)),
      transaction: (work) => unlessAway(() => world.db.transaction(work)),
    }
    const tape = createTape()
    const pipeline = await startPipeline(world, {
      sources: [tape.source],
      classifier: scriptedClassifier(() => stuck),
      db,
    })
    for (let number = 0; number < 8; number += 1)
      tape.add(...Array.from({ length: 800 }, (_, at) => posted(world.clock.now(), `Acme ${number} ${at}`)))
    await soon(() => expect(pipeline.score.length).toBe(QUEUE_MAX), 0)
    away = true
    release()
    const stopped = pipeline.stop().then(() => true)
    while (!(await Promise.race([stopped, world.clock.advance(100).then(() => false)])));
    expect(await stopped).toBe(true)
  })

  test('takes a batch of any size', async () => {
    const stage = stageWith(scriptedClassifier())
    run(stage)
    const added = stage.add(some(200_000))
    endings.push(() => added)
    await soon(() => expect(stage.length).toBe(QUEUE_MAX), 0)
  })

  test('pauses collecting, and the cursor with it, while the scorer is stuck', async () => {
    let release: (scored: Scored) => void = () => undefined
    const stuck = new Promise<Scored>((resolve) => {
      release = resolve
    })
    const tape = createTape()
    const pipeline = await startPipeline(world, { sources: [tape.source], classifier: scriptedClassifier(() => stuck) })
    endings.push(pipeline.stop)
    const batch = (number: number) =>
      tape.add(...Array.from({ length: 800 }, (_, at) => posted(world.clock.now(), `Acme ${number} ${at}`)))
    for (let number = 0; number < 12; number += 1) batch(number)
    await soon(() => expect(pipeline.score.length).toBe(QUEUE_MAX), 0)
    const pending = async () =>
      (await renderMetrics(pipeline.metrics)).match(/queue="store_bluesky_posts"\} (\d+)/)?.[1]
    await soon(async () => expect(Number(await pending())).toBeGreaterThanOrEqual(PENDING_MAX.posts), 0)
    const taken = tape.handedOver
    expect(taken).toBeLessThan(12)
    const [state] = await world.db.query<{ cursor: { batches: number } }>(sql`select cursor from source_state`)
    expect(state!.cursor.batches).toBeLessThan(taken)
    release({ verdict: GOOD })
    await soon(() => expect(tape.handedOver).toBe(12))
  })
})
