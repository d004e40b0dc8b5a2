import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  eventually,
  type Pipeline,
  type PipelineOptions,
  posted,
  ruled,
  startPipeline,
  watched,
  whileTimePasses,
} from '../../test/stand-ins/pipeline.ts'
import { GOOD, scriptedClassifier } from '../../test/stand-ins/scripted-classifier.ts'
import { createTape } from '../../test/stand-ins/tape.ts'
import { useFreshResource, useFreshWorld, useWorkspace } from '../../test/use-world.ts'
import { startLocalReceiver } from '../channels/local-receiver.suite.ts'
import { createOfflineClassifier } from '../classify/offline/index.ts'
import { updateKeyword } from '../commands/keywords/update-keyword.ts'
import { systemClock } from '../kernel/clock.ts'
import { toId } from '../kernel/ids.ts'
import { sql } from '../store/database.ts'
import { recordAccountEvents } from '../store/workspace/account-events.ts'

let pipeline: Pipeline | null

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
const receiver = useFreshResource(startLocalReceiver)
beforeEach(() => {
  pipeline = null
})

afterEach(async () => {
  if (pipeline) await whileTimePasses(world.clock, pipeline.stop())
})

async function run(options: PipelineOptions): Promise<void> {
  pipeline = await startPipeline(world, options)
}

const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })

async function count(from: string): Promise<number> {
  const [row] = await world.db.query<{ n: number }>(sql`select count(*) as n from ${sql.raw(from)}`)
  return row!.n
}

describe('the way of a post', () => {
  test('ends as a scored, charged mention and one signed request, and the same post again makes nothing new', async () => {
    const keywordId = await watched(acme, 'Acme Notes')
    const { alertId, secret } = await ruled(acme, receiver.url)
    const tape = createTape()
    await run({ sources: [tape.source] })
    const event = posted(world.clock.now(), 'Trying Acme Notes today')
    tape.add(posted(world.clock.now(), 'Nothing of interest'), event)
    await soon(() => expect(receiver.received).toHaveLength(1))
    const { headers, body } = receiver.received[0]!
    const sent = JSON.parse(body.toString())
    expect(sent).toMatchObject({ event: 'mention.matched', alert: { id: toId('feed', alertId), name: 'Everything' } })
    expect(sent.data).toMatchObject({
      keyword: { id: toId('kw', keywordId) },
      classification: { relevance: 90, sentiment: 'positive' },
    })
    expect(headers['x-mentions-signature-v2']).toBe(
      `v2=${createHmac('sha256', secret).update(`${headers['x-mentions-timestamp']}.`).update(body).digest('hex')}`,
    )
    expect(headers['webhook-id']).toBe(sent.id)
    await soon(async () =>
      expect(await count("delivery where status = 'delivered' and attempts = 1 and sent_at is not null")).toBe(1),
    )
    expect(await count('mention where delivered and scored_at is not null')).toBe(1)
    expect(await count('usage_day where matched = 1 and scored = 1 and billable = 1 and mention_units > 0')).toBe(1)

    tape.add(event, posted(world.clock.now(), 'the last post says that the batch is through: Acme Notes'))
    await soon(() => expect(receiver.received).toHaveLength(2))
    expect(await count('mention')).toBe(2)
    expect(await count('delivery')).toBe(2)
    expect((await world.db.query<{ scored: number }>(sql`select scored from usage_day`))[0]!.scored).toBe(2)
  })

  test('carries a signature that the library of Standard Webhooks accepts', async () => {
    await watched(acme, 'Acme')
    const { secret } = await ruled(acme, receiver.url)
    const tape = createTape()
    // The library compares the time of signing with the machine's own.
    const now = systemClock.now()
    world.clock.set(now)
    await run({ sources: [tape.source] })
    tape.add(posted(now, 'Acme is here'))
    await soon(() => expect(receiver.received).toHaveLength(1))
    const { headers, body } = receiver.received[0]!
    expect(new Webhook(secret).verify(body.toString(), headers as Record<string, string>)).toMatchObject({
      event: 'mention.matched',
    })
  })

  test('works with the built-in model', async () => {
    await watched(acme, 'Acme Notes')
    await ruled(acme, receiver.url)
    const classifier = await createOfflineClassifier()
    const tape = createTape()
    await run({ sources: [tape.source], classifier })
    tape.add(
      posted(
        world.clock.now(),
        'I love Acme Notes, it is the best note taking app I have ever used. Does anybody know what it costs?',
      ),
    )
    await soon(() => expect(receiver.received).toHaveLength(1))
    const { data } = JSON.parse(receiver.received[0]!.body.toString())
    expect(data.classification.relevance).toBeGreaterThanOrEqual(40)
    expect(data.classification.sentiment).toBe('positive')
    await classifier.close()
  })

  test('makes a mention and a request for each keyword of each workspace', async () => {
    const other = await world.workspace('Other')
    await watched(acme, 'Acme')
    await watched(acme, 'notes')
    await watched(other, 'acme')
    await ruled(acme, receiver.url)
    await ruled(other, receiver.url)
    const tape = createTape()
    await run({ sources: [tape.source] })
    tape.add(posted(world.clock.now(), 'Acme has notes'))
    await soon(() => expect(receiver.received).toHaveLength(3))
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()))
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(3)
    expect(new Set(bodies.map(({ data }) => data.id)).size).toBe(3)
    expect(await count('post')).toBe(1)
  })

  test('sends nothing for what is noise, and a mention that could not be scored is kept, uncharged and unsent', async () => {
    await watched(acme, 'Acme')
    await ruled(acme, receiver.url)
    const classifier = scriptedClassifier(({ post: { text } }) => {
      if (text.includes('noise')) return { verdict: { ...GOOD, relevance: 10 } }
      return text.includes('broken') ? { failed: 'the model did not answer' } : { verdict: GOOD }
    })
    const tape = createTape()
    await run({ sources: [tape.source], classifier })
    tape.add(
      posted(world.clock.now(), 'Acme noise'),
      posted(world.clock.now(), 'Acme broken'),
      posted(world.clock.now(), 'Acme fine'),
    )
    await soon(() => expect(receiver.received).toHaveLength(1))
    expect(JSON.parse(receiver.received[0]!.body.toString()).data.post.text).toBe('Acme fine')
    expect(await count('mention where failed and relevance is null')).toBe(1)
    expect(await count('delivery')).toBe(1)
    expect(
      await count('usage_day where matched = 3 and scored = 2 and billable = 2 and relevant = 1 and failed = 1'),
    ).toBe(1)
    expect(await count('score_queue')).toBe(0)
  })
})

describe('what goes away on its platform', () => {
  test('makes nothing when it goes in the batch that brought it', async () => {
    await watched(acme, 'Acme')
    const tape = createTape()
    await run({ sources: [tape.source] })
    const at = world.clock.now()
    const byPost = posted(at, 'Acme one')
    const byAuthor = posted(at, 'Acme two', { author: { ...byPost.post.author!, id: 'did:plc:gone' } })
    tape.add(
      byPost,
      byAuthor,
      { kind: 'post_gone', platform: 'bluesky', nativeId: byPost.post.nativeId },
      { kind: 'author_gone', platform: 'bluesky', authorId: 'did:plc:gone' },
      posted(at, 'Acme three'),
    )
    await soon(async () => expect(await count('mention')).toBe(1))
    const posts = await world.db.query<{ body: string }>(sql`select body from post`)
    expect(posts).toEqual([{ body: 'Acme three' }])
  })

  test('comes again as a new mention when the same batch brings it anew', async () => {
    await watched(acme, 'Acme')
    const tape = createTape()
    await run({ sources: [tape.source] })
    const first = posted(world.clock.now(), 'Acme before')
    tape.add(first)
    await soon(async () => expect(await count('mention')).toBe(1))
    const [before] = await world.db.query<{ id: string }>(sql`select id from mention`)
    tape.add(
      { kind: 'post_gone', platform: 'bluesky', nativeId: first.post.nativeId },
      { kind: 'post', post: { ...first.post, text: 'Acme after' } },
    )
    await soon(async () => expect(await world.db.query(sql`select body from post`)).toEqual([{ body: 'Acme after' }]))
    const after = await world.db.query<{ id: string }>(sql`select id from mention`)
    expect(after).toHaveLength(1)
    expect(after[0]!.id).not.toBe(before!.id)
  })

  test.each(['post', 'author'])(
    'takes its mentions along when the %s goes, and what is not sent yet is cancelled',
    async (what) => {
      await watched(acme, 'Acme')
      await ruled(acme, receiver.url)
      receiver.play({ kind: 'answers', status: 503 })
      const tape = createTape()
      await run({ sources: [tape.source] })
      const event = posted(world.clock.now(), 'Acme', {
        author: { ...posted(world.clock.now(), '').post.author!, id: 'did:plc:gone' },
      })
      tape.add(event)
      await soon(async () => expect(await count("delivery where status = 'pending' and attempts = 1")).toBe(1))
      tape.add(
        what === 'post'
          ? { kind: 'post_gone', platform: 'bluesky', nativeId: event.post.nativeId }
          : { kind: 'author_gone', platform: 'bluesky', authorId: 'did:plc:gone' },
      )
      await soon(async () => expect(await count("delivery where status = 'cancelled'")).toBe(1))
      expect([
        await count('mention'),
        await count('post'),
        await count('delivery_queue'),
        await count('score_queue'),
      ]).toEqual([0, 0, 0, 0])
      expect(receiver.received).toHaveLength(1)
    },
  )
})

describe('account events', () => {
  test('reach the channels that subscribe to them, without a rule', async () => {
    const { channelId } = await ruled(acme, receiver.url, { events: ['keyword.capped'] })
    await watched(acme, 'Acme', { cap: { mentions: 1 } })
    const tape = createTape()
    await run({ sources: [tape.source] })
    tape.add(posted(world.clock.now(), 'Acme fills its month'))
    await soon(() => expect(receiver.received).toHaveLength(2), 50)
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()))
    const capped = bodies.find(({ event }) => event === 'keyword.capped')
    expect(capped).toMatchObject({
      alert: null,
      data: { keyword: { term: 'Acme' }, cap: { mentions: 1 }, thisMonth: 1 },
    })
    await soon(async () =>
      expect(await count(`delivery where channel_id = '${channelId}' and status = 'delivered'`)).toBe(2),
    )
    expect(await count("delivery where kind = 'event' and mention_id is null and alert_id is null")).toBe(1)
  })

  test('written down by others go out within two seconds', async () => {
    await ruled(acme, receiver.url, { events: ['wallet.low'] })
    await run({})
    await world.db.transaction((tx) =>
      recordAccountEvents(tx, [
        { workspaceId: acme.workspaceId, event: 'wallet.low', at: world.clock.now(), data: { lastCreditCents: 500 } },
      ]),
    )
    const writtenMs = world.clock.monotonicMs()
    // In small steps: the clock goes on while the event is being sent, however slow the machine is.
    await soon(() => expect(receiver.received).toHaveLength(1), 10)
    expect(world.clock.monotonicMs() - writtenMs).toBeLessThan(2500)
    expect(JSON.parse(receiver.received[0]!.body.toString())).toMatchObject({
      event: 'wallet.low',
      alert: null,
      data: { lastCreditCents: 500 },
    })
  })
})

describe('a keyword with a limit', () => {
  test('gets exactly as many mentions, and collects again when the limit is raised', async () => {
    const keywordId = await watched(acme, 'Acme', { cap: { mentions: 3 } })
    await watched(acme, 'marker')
    const tape = createTape()
    await run({ sources: [tape.source] })
    const batch = () =>
      tape.add(
        ...Array.from({ length: 5 }, (_, at) => posted(world.clock.now(), `Acme ${at}`)),
        posted(world.clock.now(), 'marker'),
      )
    const mentionsOf = () => count(`mention where keyword_id = '${keywordId}'`)
    const stored = (batches: number) =>
      soon(async () => expect(await count(`source_state where (cursor ->> 'batches')::int = ${batches}`)).toBe(1))
    batch()
    await stored(1)
    batch()
    await stored(2)
    expect(await mentionsOf()).toBe(3)
    expect(await count('keyword where paused_for_cap')).toBe(1)
    await updateKeyword(acme, keywordId, { cap: { mentions: 6 } })
    await soon(async () => {
      const before = tape.handedOver
      batch()
      await stored(before + 1)
      expect(await mentionsOf()).toBe(6)
    })
    const before = tape.handedOver
    batch()
    await stored(before + 1)
    expect(await mentionsOf()).toBe(6)
  })
})
