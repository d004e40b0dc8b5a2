import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT, createMeter } from '../bare-context.suite.ts'
import { describeSource, type ServedReply, type ServedRequest, type Stage, searching } from '../conformance.suite.ts'
import type { CollectContext, LiveSource, SearchSource, SourceReply } from '../contract.ts'
import { enriching } from './enrich.ts'
import { readMessage } from './read-message.ts'
import { bluesky, JETSTREAM_HOSTS } from './source.ts'

const text = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')
const AT = new Date('2026-11-21T12:00:00Z')
const HOUR_MS = 3_600_000
/** When the posts of the feed are old enough to have counts. */
const HOUR_LATER = new Date(AT.getTime() + HOUR_MS)
const ADA = 'did:plc:adaexampleaaaaaaaaaaaaaa'
const BORIS = 'did:plc:borisexamplebbbbbbbbbbbb'
const CARLA = 'did:web:carla.example'
const ACCOUNT = { handle: 'searcher.example', appPassword: 'invented-app-password' }
const TOKEN =
  '{"did":"did:plc:searcher","handle":"searcher.example","accessJwt":"composed.access.token","refreshJwt":"composed.refresh.token"}'
const SESSION = '/xrpc/com.atproto.server.createSession'
const SEARCH = '/xrpc/app.bsky.feed.searchPosts'

const STAGES: Record<Stage, string> = {
  ordinary: text('search-ordinary.json'),
  later: text('search-later.json'),
  changed: text('search-changed.json'),
}

/** The search of the source, as one that is polled. */
function searched(source: LiveSource): SearchSource {
  const { platform, hosts, limits } = source
  return {
    platform,
    hosts,
    limits,
    mode: 'search',
    pollSeconds: 60,
    lookBackDays: 2,
    overlapSeconds: 172_800,
    searching: source.searching!,
  }
}

function replies({ url, method, headers }: ServedRequest, stage: Stage): ServedReply {
  if (url.pathname === SESSION && method === 'POST') return { body: TOKEN }
  if (url.pathname !== SEARCH || headers.authorization !== 'Bearer composed.access.token')
    return { status: 400, body: '' }
  return { body: STAGES[stage] }
}

describeSource('the search of bluesky', {
  open: () => searching(searched(bluesky({ account: ACCOUNT })), ['Acme Notes']),
  at: { ordinary: AT, later: new Date(AT.getTime() + 60_000) },
  serves: { replies },
  refusals: JSON.parse(text('appview-refusals.json')) as Record<
    'throttled' | 'unavailable' | 'credentials' | 'gone',
    ServedReply
  >,
  throttledForSeconds: 7,
  expected: {
    ordinary: [`post ${BORIS}/3mtwo`, `post ${ADA}/3mone`, `post ${CARLA}/3mthree`],
    later: [`post ${ADA}/3mseven`],
  },
  nativeIdPattern: /^did:(?:plc|web):[a-z0-9.]+\/\w+$/,
  urlPattern: /^https:\/\/bsky\.app\/profile\/did:(?:plc|web):[a-z0-9.]+\/post\/\w+$/,
})

interface Asked {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | undefined
  cost: Readonly<Record<string, number>> | undefined
}

/** A network that answers from here; `asked` gathers what it was asked. */
function network(answer: (asked: Asked) => string | SourceReply | Promise<string | SourceReply>, at = AT) {
  const asked: Asked[] = []
  const context = (now = at): CollectContext => ({
    fetch: async (address, init) => {
      const item = {
        url: new URL(address),
        method: init?.method ?? 'GET',
        headers: init?.headers ?? {},
        body: init?.body,
        cost: init?.cost,
      }
      asked.push(item)
      const reply = await answer(item)
      return typeof reply === 'string' ? { status: 200, headers: {}, body: reply } : reply
    },
    ...BARE_CONTEXT,
    at: now,
  })
  return { asked, context }
}

interface Listed {
  profiles: { did: string }[]
  posts: { uri: string }[]
}

/** The AppView with the recorded people and posts: who and what it does not know is absent from its replies. */
function appView({ url }: Asked): string {
  const { profiles } = JSON.parse(text('profiles.json')) as Listed
  const { posts } = JSON.parse(text('posts.json')) as Listed
  if (url.pathname.endsWith('getProfiles'))
    return JSON.stringify({ profiles: profiles.filter(({ did }) => url.searchParams.getAll('actors').includes(did)) })
  return JSON.stringify({ posts: posts.filter(({ uri }) => url.searchParams.getAll('uris').includes(uri)) })
}

const FEED = text('ordinary.jsonl')
  .trim()
  .split('\n')
  .map(readMessage)
  .flatMap((message) => (message.kind === 'read' && message.event.kind === 'post' ? [message.event.post] : []))
const fromFeed = (rkey: string): Post => FEED.find((post) => post.nativeId.endsWith(`/${rkey}`))!
const stranger = (number: number): Post => ({
  ...fromFeed('3mone'),
  nativeId: `did:plc:person${number}/3mpost`,
  author: {
    ...fromFeed('3mone').author!,
    id: `did:plc:person${number}`,
    url: `https://bsky.app/profile/did:plc:person${number}`,
  },
})

describe('what the AppView adds to a post of the feed', () => {
  test('name, handle, picture, followers, counts, and the parent with its author; id, address, text and time stay', async () => {
    const { asked, context } = network(appView, HOUR_LATER)
    const posts = [fromFeed('3mone'), fromFeed('3mthree')]
    const [post, three] = await enriching()(context(), posts)
    expect(post).toEqual({
      ...posts[0],
      engagement: { likes: 12, reposts: 3, replies: 2, quotes: 1, views: null, bookmarks: 4 },
      author: {
        id: ADA,
        name: 'Ada Example',
        handle: 'ada.example',
        url: `https://bsky.app/profile/${ADA}`,
        avatarUrl: `https://cdn.bsky.app/img/avatar/plain/${ADA}/bafkreicomposedavatar0001`,
        followers: 1204,
        automated: null,
      },
    })
    expect(three).toMatchObject({
      nativeId: `${CARLA}/3mthree`,
      publishedAt: posts[1]!.publishedAt,
      author: { name: 'Carla', handle: null, followers: 0, avatarUrl: null },
      replyTo: {
        author: 'ada.example',
        url: `https://bsky.app/profile/${ADA}/post/3mone`,
        text: 'Trying Acme Notes today. The search is quick 🚀',
      },
    })
    expect(asked.map(({ url, cost }) => [url.host, url.pathname, cost])).toEqual([
      ['public.api.bsky.app', '/xrpc/app.bsky.actor.getProfiles', { appview: 1 }],
      ['public.api.bsky.app', '/xrpc/app.bsky.feed.getPosts', { appview: 1 }],
    ])
  })

  test('posts of people and answers to posts that are not there any more stay as they are', async () => {
    const { context } = network(appView)
    const orphan = {
      ...stranger(1),
      replyTo: { author: null, url: 'https://bsky.app/profile/did:plc:person2/post/gone', text: null },
    }
    expect(await enriching()(context(), [orphan])).toEqual([orphan])
    expect(await enriching()(context(), [])).toEqual([])
  })

  test('a post whose parent is no post of the network, or known by handle only, keeps what it has', async () => {
    const { asked, context } = network(appView, HOUR_LATER)
    const post = {
      ...fromFeed('3mone'),
      replyTo: { author: null, url: 'https://bsky.app/profile/ada.example/post/3mone', text: null },
    }
    expect((await enriching()(context(), [post]))[0]?.replyTo).toEqual(post.replyTo)
    expect(asked.at(-1)?.url.searchParams.getAll('uris')).toEqual([`at://${ADA}/app.bsky.feed.post/3mone`])
  })

  test('one request names at most 25 people or posts, and each of them once', async () => {
    const { asked, context } = network(appView, HOUR_LATER)
    const posts = Array.from({ length: 60 }, (_, at) => stranger(at % 30))
    await enriching()(context(), posts)
    expect(
      asked.map(({ url }) => [url.searchParams.getAll('actors').length, url.searchParams.getAll('uris').length]),
    ).toEqual([
      [25, 0],
      [5, 0],
      [0, 25],
      [0, 5],
    ])
  })

  test('a person is asked for once a day, a parent once an hour, and what a post has already is not asked for', async () => {
    const { asked, context } = network(appView)
    const enrich = enriching()
    const counted = {
      ...fromFeed('3mthree'),
      engagement: { likes: 0, reposts: 0, replies: 0, quotes: 0, views: null, bookmarks: null },
    }
    const methods = async (at: Date) => {
      const before = asked.length
      const [post] = await enrich(context(at), [counted])
      expect(post).toMatchObject({
        author: { name: 'Carla' },
        replyTo: { author: 'ada.example' },
        engagement: { likes: 0 },
      })
      return asked.slice(before).map(({ url }) => url.pathname.split('.').at(-1))
    }
    const later = (hours: number) => new Date(AT.getTime() + hours * HOUR_MS)
    expect(await methods(AT)).toEqual(['getProfiles', 'getPosts'])
    expect(await methods(later(0.99))).toEqual([])
    expect(await methods(later(1))).toEqual(['getPosts'])
    expect(await methods(later(24))).toEqual(['getProfiles', 'getPosts'])
  })

  test('what is remembered is bounded, and a batch with more people than that is complete all the same', async () => {
    const { context } = network(appView)
    const posts = await enriching({ mostProfiles: 1, mostParents: 1 })(context(), [
      fromFeed('3mone'),
      fromFeed('3mtwo'),
      fromFeed('3mthree'),
    ])
    expect(posts.map((post) => post.author?.followers)).toEqual([1204, 7, 0])
  })

  test('a post of less than ten minutes has no counts, which would be zeros for ever', async () => {
    const published = fromFeed('3mone').publishedAt.getTime()
    const at = (minutes: number) => network(appView, new Date(published + minutes * 60_000))
    const [young, older] = [at(9.9), at(10)]
    expect((await enriching()(young.context(), [fromFeed('3mone')]))[0]).toMatchObject({
      engagement: null,
      author: { followers: 1204 },
    })
    expect(young.asked.map(({ url }) => url.pathname.split('.').at(-1))).toEqual(['getProfiles'])
    // One that is asked for because another answers it has none either.
    const [parent] = await enriching()(young.context(), [fromFeed('3mone'), fromFeed('3mthree')])
    expect(parent?.engagement).toBeNull()
    expect((await enriching()(older.context(), [fromFeed('3mone')]))[0]?.engagement).toMatchObject({ likes: 12 })
  })

  test('a few requests are under way at once, and what came before an abort or a failure is filled in', async () => {
    const [, ...others] = Array.from({ length: 200 }, (_, at) => stranger(at))
    const enriched = async (ending: (number: number, abort: AbortController) => boolean) => {
      const abort = new AbortController()
      const meter = createMeter()
      let number = 0
      const { context } = network(async ({ url }) => {
        number += 1
        const fails = ending(number, abort)
        await meter.pass()
        abort.signal.throwIfAborted()
        const profiles = url.searchParams
          .getAll('actors')
          .map((did) => ({ did, handle: 'some.example', followersCount: 5 }))
        return fails ? { status: 503, headers: {}, body: '' } : JSON.stringify({ profiles })
      })
      const posts = await enriching()({ ...context(), signal: abort.signal }, others)
      return {
        length: posts.length,
        filled: posts.filter(({ author }) => author?.followers === 5).length,
        most: meter.most,
      }
    }
    expect(await enriched(() => false)).toEqual({ length: 199, filled: 199, most: 4 })
    expect(await enriched((number) => number > 4)).toEqual({ length: 199, filled: 100, most: 4 })
    const aborted = await enriched((number, abort) => {
      if (number === 6) abort.abort(new Error('over'))
      return false
    })
    expect(aborted).toMatchObject({ length: 199, filled: 50 })
    await expect(enriched(() => true)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('a failing AppView is a fault of its kind, and odd people among others are left out', async () => {
    const enrich = (reply: string | SourceReply, at = AT) =>
      enriching()(
        network((asked) => (asked.url.pathname.endsWith('getProfiles') ? reply : appView(asked)), at).context(),
        [fromFeed('3mone'), fromFeed('3mtwo'), { ...fromFeed('3mthree'), replyTo: null }],
      )
    await expect(enrich({ status: 503, headers: {}, body: '' })).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(enrich('{"people":[]}')).rejects.toMatchObject({ kind: 'shape_changed' })
    await expect(enrich('{"profiles":[{"did":1},{"did":2},{"did":3}]}')).rejects.toMatchObject({
      kind: 'shape_changed',
    })
    const counted = await enrich({ status: 503, headers: {}, body: '' }, HOUR_LATER)
    expect([counted[0]?.engagement?.likes, counted[0]?.author?.followers]).toEqual([12, null])
    const { profiles } = JSON.parse(text('profiles.json')) as Listed
    const posts = await enrich(JSON.stringify({ profiles: [profiles[0], { did: BORIS }, profiles[2]] }))
    expect(posts.map((post) => post.author?.followers)).toEqual([1204, null, 0])
  })
})

describe('the person behind a handle', () => {
  const resolve = (handle: string, reply: string | SourceReply) => {
    const { asked, context } = network(() => reply)
    return bluesky().resolveAuthor!(context(), handle).then((did) => ({ did, asked: asked.map(({ url }) => url.href) }))
  }
  const refused = (status: number, error: string): SourceReply => ({
    status,
    headers: {},
    body: JSON.stringify({ error, message: 'Unable to resolve handle' }),
  })

  test('is known by did', async () => {
    expect(await resolve('@Ada.Example', JSON.stringify({ did: ADA }))).toEqual({
      did: ADA,
      asked: ['https://public.api.bsky.app/xrpc/com.atproto.identity.resolveHandle?handle=ada.example'],
    })
  })

  test('is nobody when the handle leads nowhere or is none', async () => {
    expect((await resolve('nobody.example', refused(400, 'InvalidRequest'))).did).toBeNull()
    expect(await resolve('no handle', '{}')).toEqual({ did: null, asked: [] })
    expect(await resolve('ada', '{}')).toEqual({ did: null, asked: [] })
  })

  test('is not nobody because the platform is in trouble', async () => {
    await expect(resolve('ada.example', refused(502, 'UpstreamFailure'))).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(resolve('ada.example', refused(503, 'InvalidRequest'))).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(resolve('ada.example', refused(400, 'SomethingNew'))).rejects.toMatchObject({ kind: 'shape_changed' })
    await expect(resolve('ada.example', '{"did":"ada"}')).rejects.toMatchObject({ kind: 'shape_changed' })
  })
})

describe('the search of bluesky', () => {
  const query = (more: object = {}) => ({
    terms: ['Acme Notes'],
    since: new Date('2026-11-19T12:00:00Z'),
    limit: 1000,
    ...more,
  })
  async function search(source: LiveSource, context: CollectContext, more: object = {}): Promise<Post[]> {
    const posts: Post[] = []
    for await (const portion of source.searching!.search(context, query(more))) posts.push(...portion)
    return posts
  }
  const view = (number: number): object => ({
    ...(JSON.parse(STAGES.ordinary).posts[0] as object),
    uri: `at://${ADA}/app.bsky.feed.post/k${number}`,
  })

  test('is there only with an account, and so are the host and the limits of signing in', () => {
    const [without, empty, withAccount] = [bluesky(), bluesky({ account: null }), bluesky({ account: ACCOUNT })]
    expect([without.searching, empty.searching]).toEqual([undefined, undefined])
    expect(without.hosts).toEqual([...JETSTREAM_HOSTS, 'public.api.bsky.app'])
    expect(withAccount.hosts).toEqual([...without.hosts, 'bsky.social'])
    expect(withAccount.searching?.termsPerSearch).toBe(1)
    expect([without, withAccount].map(({ limits }) => limits.map(({ quota }) => quota))).toEqual([
      ['appview'],
      ['appview', 'sessions', 'sessions'],
    ])
  })

  test('gives a post the same form as the feed does', async () => {
    const { context } = network(({ url }) => (url.pathname === SESSION ? TOKEN : STAGES.ordinary))
    const [three, first, second] = await search(bluesky({ account: ACCOUNT }), context())
    const { text, links, languageHint, url, nativeId, title } = fromFeed('3mtwo')
    expect(second).toMatchObject({
      text,
      links,
      url,
      nativeId,
      title,
      languageHint: 'en',
      imageUrl: null,
      author: { id: BORIS, handle: 'boris.bsky.example', name: null },
    })
    expect(languageHint).toBe('pt')
    expect(first).toMatchObject({
      nativeId: fromFeed('3mone').nativeId,
      url: fromFeed('3mone').url,
      engagement: { likes: 12, bookmarks: 4 },
    })
    expect(three).toMatchObject({ replyTo: fromFeed('3mthree').replyTo, publishedAt: new Date('2026-11-21T11:55:00Z') })
  })

  test('asks for the phrase, newest first, since the time, in the name of the account', async () => {
    const { asked, context } = network(({ url }) => (url.pathname === SESSION ? TOKEN : STAGES.ordinary))
    await search(bluesky({ account: ACCOUNT }), context(), { terms: [' Acme "quick"  Notes'], limit: 30 })
    expect(asked.map(({ url, method }) => [method, url.host, url.pathname])).toEqual([
      ['POST', 'bsky.social', SESSION],
      ['GET', 'bsky.social', SEARCH],
    ])
    expect(JSON.parse(asked[0]!.body!)).toEqual({ identifier: ACCOUNT.handle, password: ACCOUNT.appPassword })
    expect(Object.fromEntries(asked[1]!.url.searchParams)).toEqual({
      q: '"Acme quick Notes"',
      sort: 'latest',
      since: '2026-11-19T12:00:00.000Z',
      limit: '30',
    })
    expect(asked.map(({ cost, headers }) => [cost, headers['authorization']])).toEqual([
      [{ appview: 1, sessions: 1 }, undefined],
      [{ appview: 1 }, 'Bearer composed.access.token'],
    ])
  })

  test('follows the cursor to the end, at most ten pages, and not in a circle', async () => {
    const paged = (cursorOf: (page: number) => string | null) => {
      let page = 0
      return network(({ url }) => {
        if (url.pathname === SESSION) return TOKEN
        page += 1
        return JSON.stringify({ posts: [view(page)], cursor: cursorOf(page) ?? undefined })
      })
    }
    const pages = async (cursorOf: (page: number) => string | null, limit = 1000) => {
      const { asked, context } = paged(cursorOf)
      await search(bluesky({ account: ACCOUNT }), context(), { limit })
      return asked.slice(1).map(({ url }) => url.searchParams.get('cursor'))
    }
    expect(await pages((page) => (page < 3 ? String(page) : null))).toEqual([null, '1', '2'])
    expect((await pages(String)).length).toBe(10)
    expect(await pages(() => 'same')).toEqual([null, 'same'])
    expect(await pages(String, 2)).toEqual([null, '1'])
  })

  test('keeps its session, and opens a new one once when the token is refused', async () => {
    for (const refusal of [
      { status: 401, headers: {}, body: '{"error":"AuthMissing"}' },
      { status: 400, headers: {}, body: '{"error":"ExpiredToken","message":"Token has expired"}' },
    ]) {
      let number = 0
      const good = new Set<string>()
      const { asked, context } = network(({ url, headers }) => {
        if (url.pathname !== SESSION) return good.has(headers['authorization'] ?? '') ? STAGES.ordinary : refusal
        number += 1
        good.add(`Bearer token${number}`)
        return JSON.stringify({ accessJwt: `token${number}` })
      })
      const source = bluesky({ account: ACCOUNT })
      await search(source, context())
      await search(source, context())
      expect(number).toBe(1)
      good.clear()
      expect((await search(source, context())).length).toBe(3)
      expect([number, asked.length]).toEqual([2, 6])
    }
  })

  test('a token that is refused as soon as it is given is a matter of credentials, and is not tried for ever', async () => {
    const { asked, context } = network(({ url }) =>
      url.pathname === SESSION ? TOKEN : { status: 400, headers: {}, body: '{"error":"InvalidToken"}' },
    )
    await expect(search(bluesky({ account: ACCOUNT }), context())).rejects.toMatchObject({ kind: 'credentials' })
    expect(asked.length).toBe(4)
  })

  test('searches that begin together share one session, and one whose sign-in fails does not fail the others', async () => {
    let number = 0
    const { asked, context } = network(async ({ url }) => {
      if (url.pathname !== SESSION) return STAGES.ordinary
      number += 1
      await Promise.resolve()
      return number === 1 ? { status: 503, headers: {}, body: '' } : TOKEN
    })
    const source = bluesky({ account: ACCOUNT })
    const [first, second, three] = await Promise.allSettled([
      search(source, context()),
      search(source, context()),
      search(source, context()),
    ])
    expect([first.status, second.status, three.status]).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    await Promise.all([search(source, context()), search(source, context())])
    expect(asked.filter(({ url }) => url.pathname === SESSION).length).toBe(2)
  })

  test('nobody is asked for a phrase that is empty', async () => {
    const { asked, context } = network(() => TOKEN)
    expect(await search(bluesky({ account: ACCOUNT }), context(), { terms: ['""'] })).toEqual([])
    expect(asked).toEqual([])
  })
})
