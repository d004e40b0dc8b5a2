import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import type { CollectContext, Cursor, OpenReply, SourceBatch, SourceFault } from '../contract.ts'
import { idBefore } from './ids.ts'
import { type MastodonOptions, mastodon } from './source.ts'
import { status } from './wire.ts'

const AT = new Date('2026-11-21T12:00:00Z')
const NOW_MS = AT.getTime()
const OWN: MastodonOptions = { stream: 'https://social.example', servers: ['social.example'] }
const RELAY: MastodonOptions = { stream: 'https://relay.example', servers: ['social.example', 'other.example'] }
const TIMELINE = '/api/v1/timelines/public'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

type Raw = ReturnType<typeof raw>

/** A post that reached its server so many seconds after the beginning. */
function raw(seconds: number, more: Record<string, unknown> = {}) {
  const id = String(BigInt(idBefore(NOW_MS + seconds * 1000)) + 7n)
  const uri = `https://social.example/users/ada/statuses/${id}`
  const created_at = new Date(NOW_MS + seconds * 1000).toISOString()
  const account = { id: '1', acct: 'ada', url: 'https://social.example/@ada' }
  return { id, uri, url: uri, created_at, content: `<p>post at ${seconds}</p>`, visibility: 'public', account, ...more }
}

const edited = (post: Raw, seconds: number) => ({
  ...post,
  content: '<p>edited</p>',
  edited_at: new Date(NOW_MS + seconds * 1000).toISOString(),
})

/** As servers answer: what follows directly behind `min_id`, at most 40, newest first. */
function timeline(posts: readonly Raw[]) {
  return (url: URL): Answer => ({
    body: posts
      .filter(({ id }) => BigInt(id) > BigInt(url.searchParams.get('min_id')!))
      .slice(0, 40)
      .reverse(),
  })
}

/** A network of one stream and some timelines, without any socket, at a time that the test moves. */
function network(answers: (url: URL) => Answer = () => ({ body: [] })) {
  const clock = createTestClock(AT)
  const requests: { url: string; headers: Record<string, string> }[] = []
  const state = { answers, opening: { status: 200 } as { status: number; headers?: Record<string, string> } }
  let wire = pipe()
  const abort = new AbortController()
  const logged: string[] = []
  const log = { ...silentLog, warn: (fields: { event: string }) => void logged.push(fields.event) }
  const context = (): CollectContext => ({
    ...BARE_CONTEXT,
    at: clock.now(),
    signal: abort.signal,
    log: log as never,
    async fetch(url, { headers = {} } = {}) {
      requests.push({ url, headers })
      const { status = 200, headers: given = {}, body = [] } = state.answers(new URL(url))
      return { status, headers: given, body: JSON.stringify(body) }
    },
    async open(url, headers) {
      requests.push({ url, headers: { ...headers } })
      wire = pipe()
      return { headers: { 'content-type': 'text/event-stream' }, ...state.opening, ...wire.reply } as OpenReply
    },
  })
  return {
    clock,
    requests,
    state,
    logged,
    context,
    abort,
    send: (name: string, data: unknown) =>
      wire.push(`event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`),
    comment: () => wire.push(':thump\n\n'),
    end: () => wire.end(),
    /** The addresses asked, without those of the stream. */
    pages: () => requests.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname === TIMELINE),
  }
}

function pipe() {
  const waiting: (string | null)[] = []
  let wake = () => {}
  async function* chunks(): AsyncIterable<Uint8Array> {
    for (;;) {
      const next = waiting.shift()
      if (next === null) return
      if (next !== undefined) yield Buffer.from(next)
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  const put = (item: string | null) => {
    waiting.push(item)
    wake()
  }
  return { push: put, end: () => put(null), reply: { chunks: chunks(), close: () => put(null) } }
}

/** Follows in the background; `ids` are the events so far, as the last part of ids. */
function followed(net: ReturnType<typeof network>, source: ReturnType<typeof mastodon>, cursor: Cursor | null) {
  const batches: SourceBatch[] = []
  let ended: { fault: unknown } | null = null
  void (async () => {
    for await (const batch of source.follow(net.context(), cursor)) batches.push(batch)
  })().then(
    () => {
      ended = { fault: null }
    },
    (fault: unknown) => {
      ended = { fault }
    },
  )
  return {
    batches,
    events: () => batches.flatMap(({ events }) => events).map(labelOf),
    cursor: () => batches.at(-1)!.cursor,
    fault: () => ended?.fault as SourceFault | null | undefined,
  }
}

function labelOf(event: SourceBatch['events'][number]): string {
  if (event.kind === 'post') return event.post.text
  return event.kind === 'post_gone' ? `gone ${event.nativeId.split('/').at(-1)}` : event.kind
}

/** Lets everything happen that is due. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Time with nothing but comments, in steps of five seconds. */
async function pass(net: ReturnType<typeof network>, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    net.comment()
    await turns()
    await net.clock.advance(5000)
  }
  await turns()
}

const start = (more: Partial<{ batch: number; timeMs: number; pending: string[] }> = {}): Cursor => ({
  batch: 1,
  timeMs: NOW_MS,
  pending: [],
  ...more,
})

describe('the stream', () => {
  test('begins at the present without a cursor, asks no timeline, and hands its place over at once', async () => {
    const net = network()
    const run = followed(net, mastodon(OWN, net.clock), null)
    await turns()
    expect(net.requests.map(({ url }) => url)).toEqual(['https://social.example/api/v1/streaming/public'])
    expect(run.cursor()).toEqual({ batch: 1, timeMs: NOW_MS, pending: [] })
    net.send('update', raw(-1))
    net.abort.abort()
    await turns()
    expect(run.fault()).toBeNull()
  })

  test('shows the token to the own server and its hosts, and to no relay', async () => {
    const authorized = async (options: MastodonOptions, location?: string) => {
      const net = network()
      if (location) net.state.opening = { status: 301, headers: { location } }
      followed(net, mastodon({ ...options, token: 'secret' }, net.clock), null)
      await turns()
      return net.requests.map(({ url, headers }) => `${new URL(url).host} ${headers['authorization'] ?? '-'}`)
    }
    expect(await authorized(OWN)).toEqual(['social.example Bearer secret'])
    expect(await authorized(RELAY)).toEqual(['relay.example -'])
    const streaming = 'https://streaming.social.example/api/v1/streaming/public'
    expect(await authorized(OWN, streaming)).toEqual([
      'social.example Bearer secret',
      'streaming.social.example Bearer secret',
    ])
    expect((await authorized(OWN, 'https://elsewhere.example/'))[1]).toBe('elsewhere.example -')
    expect(await authorized(OWN, streaming.replace('https:', 'http:'))).toEqual(['social.example Bearer secret'])
  })

  test('that refuses is asked ever more rarely, up to an hour', async () => {
    const net = network()
    net.state.opening = { status: 401 }
    const source = mastodon(OWN, net.clock)
    const waits: (number | null)[] = []
    for (let time = 0; time < 12; time += 1) {
      const run = followed(net, source, null)
      await turns()
      expect(run.fault()?.kind).toBe('credentials')
      waits.push(run.fault()!.retryAfterSeconds)
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
  })

  test('that answers with a page is no stream', async () => {
    const net = network()
    net.state.opening = { status: 200, headers: { 'content-type': 'text/html' } }
    const run = followed(net, mastodon(OWN, net.clock), null)
    await turns()
    expect(run.fault()).toMatchObject({ kind: 'unavailable', message: 'the reply is no event stream' })
  })

  test('lives on comments for ten minutes, and is dead after a minute without a byte', async () => {
    const net = network()
    const source = mastodon(OWN, net.clock)
    const dead = followed(net, source, null)
    await turns()
    await net.clock.advance(59_000)
    expect(dead.fault()).toBeUndefined()
    await net.clock.advance(1000)
    await turns()
    expect(dead.fault()).toMatchObject({ kind: 'unavailable', message: 'no byte of the stream for 60000 ms' })

    const quiet = followed(net, source, null)
    await turns()
    for (let time = 0; time < 40; time += 1) {
      expect(quiet.fault()).toBeUndefined()
      await net.clock.advance(15_000)
      net.comment()
      await turns()
    }
    expect(quiet.fault()).toBeNull()
  })

  test('keeps its place at the time of arrival at the server, whatever time a post claims', async () => {
    const net = network()
    const run = followed(net, mastodon(OWN, net.clock), null)
    await turns()
    await net.clock.advance(30_000)
    net.send('update', raw(20, { created_at: '2026-11-21T11:59:00Z' }))
    await turns()
    expect(run.cursor()['timeMs']).toBe(NOW_MS + 20_000)
    net.send('update', { ...raw(25), id: 'AfLake', created_at: '2030-01-01T00:00:00Z' })
    await turns()
    expect(run.cursor()['timeMs']).toBe(NOW_MS + 30_000)
  })
})

describe('deletions and edits', () => {
  test('name the post by the id of the server, for each server that a relay reads', async () => {
    const net = network()
    const run = followed(net, mastodon(RELAY, net.clock), null)
    await turns()
    const post = raw(-1)
    const elsewhere = { ...post, id: '999' }
    for (const item of [post, elsewhere, post]) net.send('update', item)
    net.send('delete', '999')
    net.send('delete', post.id)
    net.send('delete', '12345')
    net.send('update', post)
    await turns()
    expect(run.events()).toEqual(['post at -1', `gone ${post.id}`])
  })

  test('of an id that two posts share are not followed', async () => {
    const net = network()
    const run = followed(net, mastodon(RELAY, net.clock), null)
    await turns()
    net.send('update', { ...raw(-2), id: '55' })
    net.send('update', { ...raw(-1), id: '55' })
    net.send('delete', '55')
    await turns()
    expect(run.events()).toEqual(['post at -2', 'post at -1'])
  })

  test('an edit comes once, and an older version not after it', async () => {
    const net = network()
    const run = followed(net, mastodon(RELAY, net.clock), null)
    await turns()
    const post = raw(-9)
    for (const version of [post, edited(post, -5), edited(post, -5), post]) net.send('status.update', version)
    await turns()
    expect(run.events()).toEqual(['post at -9', 'edited'])
  })

  test('a person who withdraws is gone with the next edit', async () => {
    const net = network()
    const run = followed(net, mastodon(RELAY, net.clock), null)
    await turns()
    const post = raw(-9)
    net.send('update', post)
    net.send('status.update', { ...edited(post, -5), account: { ...post.account, noindex: true } })
    await turns()
    expect(run.events()).toEqual(['post at -9', `gone ${post.id}`])
  })

  test('that could not be stored come again, although no server repeats them', async () => {
    const net = network()
    const source = mastodon(OWN, net.clock)
    const first = followed(net, source, null)
    await turns()
    const [deleted, rewritten] = [raw(-400), raw(-300)]
    for (const post of [deleted, rewritten]) net.send('update', post)
    await turns()
    const stored = first.cursor()
    net.send('delete', deleted.id)
    net.send('status.update', edited(rewritten, -1))
    await turns()
    expect(first.events().slice(2)).toEqual([`gone ${deleted.id}`, 'edited'])
    net.end()
    await turns()
    const second = followed(net, source, stored)
    await turns()
    expect(second.events()).toEqual([`gone ${deleted.id}`, 'edited'])
    net.send('delete', deleted.id)
    await turns()
    expect(second.events()).toHaveLength(2)
  })
})

describe('after a break', () => {
  test('timelines are read from two minutes before it to an empty page, while the stream goes on', async () => {
    const missed = [raw(-100), ...Array.from({ length: 90 }, (_, at) => raw(1 + at))]
    const net = network(timeline(missed))
    await net.clock.advance(100_000)
    const source = mastodon(OWN, net.clock)
    const run = followed(net, source, start())
    net.send('update', raw(100))
    await turns()
    expect(net.pages()[0]!.searchParams.get('min_id')).toBe(idBefore(NOW_MS - 120_000))
    expect(new Set(run.events())).toEqual(
      new Set(['post at -100', ...missed.slice(1).map((_, at) => `post at ${1 + at}`), 'post at 100']),
    )
    expect(run.events()).toHaveLength(92)
    expect(run.cursor()['pending']).toEqual([`social.example|${missed.at(-1)!.id}`])
    await net.clock.advance(10_000)
    await turns()
    expect(run.cursor()['pending']).toEqual([])
  })

  test('a page that was wrongly empty is asked for again before the timeline counts as read', async () => {
    const net = network()
    const run = followed(net, mastodon(OWN, net.clock), start())
    await turns()
    net.state.answers = timeline([raw(-5)])
    await net.clock.advance(10_000)
    await turns()
    expect(run.events()).toEqual(['post at -5'])
  })

  test('while the stream cannot be opened, the timelines are read up to the present', async () => {
    const posts = [raw(-5)]
    const net = network((url) => timeline(posts)(url))
    net.state.opening = { status: 503 }
    const source = mastodon(OWN, net.clock)
    const first = followed(net, source, start())
    await turns()
    expect([first.events(), first.fault()?.kind]).toEqual([['post at -5'], 'unavailable'])
    posts.push(raw(-4))
    const second = followed(net, source, first.cursor())
    await turns()
    expect([second.events(), second.fault()?.kind]).toEqual([['post at -4'], 'unavailable'])
  })

  test('a server in trouble keeps its place and is asked again, while others and the stream go on', async () => {
    const net = network((url) => (url.host === 'other.example' ? { status: 503 } : timeline([raw(-5)])(url)))
    const run = followed(net, mastodon(RELAY, net.clock), start())
    await turns()
    net.send('update', raw(-1))
    await turns()
    expect(run.events()).toEqual(['post at -5', 'post at -1'])
    expect(net.logged).toEqual(['source.catch_up_failed'])
    await pass(net, 60)
    net.send('update', raw(50))
    await turns()
    expect(run.cursor()['pending']).toEqual([`other.example|${idBefore(NOW_MS - 120_000)}`])
    const tries = net.pages().filter(({ host }) => host === 'other.example').length
    expect(tries).toBeGreaterThan(1)
    expect(tries).toBeLessThan(8)
    net.state.answers = timeline([raw(-3)])
    await pass(net, 60)
    expect(run.events()).toEqual(['post at -5', 'post at -1', 'post at 50', 'post at -3'])
    expect(run.fault()).toBeUndefined()
  })

  test('a server that asks for a pause gets it', async () => {
    const reset = new Date(NOW_MS + 90_000).toISOString()
    for (const headers of [{ 'retry-after': '90' }, { 'x-ratelimit-reset': reset }]) {
      const net = network(() => ({ status: 429, headers }))
      followed(net, mastodon(OWN, net.clock), start())
      await turns()
      await pass(net, 85)
      expect(net.pages()).toHaveLength(1)
      await pass(net, 5)
      expect(net.pages()).toHaveLength(2)
    }
  })

  test('sixty pages are read at once, and one every four seconds after that', async () => {
    const missed = Array.from({ length: 70 * 40 }, (_, at) => raw(at / 50))
    const net = network(timeline(missed))
    await net.clock.advance(60_000)
    followed(net, mastodon(OWN, net.clock), start())
    for (let time = 0; time < 20; time += 1) await turns()
    expect(net.pages()).toHaveLength(60)
    await net.clock.advance(4000)
    await turns()
    expect(net.pages()).toHaveLength(61)
  })

  test('of more than six hours a gap is left and told of', async () => {
    const net = network()
    followed(net, mastodon(OWN, net.clock), start({ timeMs: NOW_MS - 7 * 3_600_000 }))
    await turns()
    expect(net.logged).toEqual(['source.gap_left'])
    expect(net.pages()[0]!.searchParams.get('min_id')).toBe(idBefore(NOW_MS - 6 * 3_600_000))
  })

  test('an unfinished timeline goes on where it was', async () => {
    const net = network()
    const pending = [`other.example|${raw(-900).id}`, 'gone.example|1', 'social.example|x']
    followed(net, mastodon(RELAY, net.clock), start({ pending }))
    await turns()
    expect(net.pages().map(({ host, searchParams }) => `${host} ${searchParams.get('min_id')}`)).toEqual([
      `social.example ${idBefore(NOW_MS - 120_000)}`,
      `other.example ${raw(-900).id}`,
    ])
  })
})

describe('messages that cannot be read', () => {
  test('are brought by the timelines, at most once in five minutes', async () => {
    const lost = raw(-3)
    const net = network(timeline([raw(-4), lost]))
    const run = followed(net, mastodon(OWN, net.clock), null)
    await turns()
    net.send('update', raw(-4))
    net.send('update', '{"id":"cut')
    net.send('update', raw(-2))
    await turns()
    expect(run.events()).toEqual(['post at -4', 'post at -2'])
    await net.clock.advance(5000)
    await turns()
    expect(run.events()).toEqual(['post at -4', 'post at -2', 'post at -3'])
    await net.clock.advance(20_000)
    await turns()
    const asked = net.pages().length
    net.send('update', 'null')
    await net.clock.advance(20_000)
    await turns()
    expect(net.pages()).toHaveLength(asked)
  })

  test('a post of a page is left out alone, and the page is passed', async () => {
    const posts = [raw(-5), raw(-4, { content: null }), raw(-3)]
    const net = network(timeline(posts as Raw[]))
    const run = followed(net, mastodon(OWN, net.clock), start())
    await turns()
    expect(run.events()).toEqual(['post at -5', 'post at -3'])
    expect(status.safeParse(posts[1]).success).toBe(false)
  })

  test('more than half of twenty are a change of form, and the place stays in front of them', async () => {
    const net = network()
    const run = followed(net, mastodon(OWN, net.clock), null)
    await turns()
    net.send('update', raw(-30))
    await turns()
    const { timeMs } = run.cursor()
    for (let count = 0; count < 9; count += 1) {
      net.send('update', '{}')
      net.send('update', raw(-20 + count))
    }
    await turns()
    expect([run.fault(), run.cursor()['timeMs']]).toEqual([undefined, timeMs])
    for (let count = 0; count < 3; count += 1) net.send('update', '{}')
    await turns()
    expect(run.fault()?.kind).toBe('shape_changed')
    expect(run.cursor()['timeMs']).toBe(timeMs)
  })
})
