import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { describeSource, type ServedReply, type Stage, searching } from '../conformance.suite.ts'
import { type CollectContext, type Cost, QuotaReached, type SearchSource, SourceFault } from '../contract.ts'
import { secondsToPacificMidnight } from './fault.ts'
import { fits, queryOf, TERMS_PER_SEARCH } from './query.ts'
import { youtube } from './source.ts'
import { toPost } from './to-post.ts'
import { video } from './wire.ts'

// Over three hundred lines, because searching and looking up ask the same platform, which is told once here.
type Found = { id: { videoId: string }; snippet: { publishedAt: string } }
interface Recorded {
  search: { items: Found[] }
  videos: { items: { id: string }[] }
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const AT = new Date('2026-11-21T12:00:00Z')
const OPTIONS = { key: 'key-of-a-test', searchesPerDay: 100 }
const TERMS = ['acme corp', 'beta inc']
const STAGES: Record<Stage, Recorded> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
type Refusal = 'throttled' | 'unavailable' | 'credentials' | 'gone'
type Complaint = 'keyInvalidNewer' | 'notSwitchedOn' | 'forbidden' | 'tooFast' | 'dayReachedNewer' | 'badPage'
const REFUSALS = recorded<Record<Refusal, ServedReply>>('refusals.json')
const COMPLAINTS = recorded<Record<Complaint, ServedReply>>('complaints.json')

/** Answers as the API does: videos after a time, fifty on a page, and the videos of some ids in an order of its own. */
function answer({ search, videos }: Recorded, url: URL): object {
  if (url.pathname.endsWith('/videos')) {
    const ids = url.searchParams.get('id')!.split(',')
    return { ...videos, items: videos.items.filter(({ id }) => ids.includes(id)).reverse() }
  }
  const from = Number(url.searchParams.get('pageToken') ?? 0)
  const items = search.items.filter(({ snippet }) => snippet.publishedAt >= url.searchParams.get('publishedAfter')!)
  return {
    ...search,
    items: items.slice(from, from + 50),
    ...(items.length > from + 50 ? { nextPageToken: String(from + 50) } : {}),
  }
}

describeSource('youtube', {
  open: () => searching(youtube(OPTIONS), TERMS),
  at: { ordinary: AT, later: new Date('2026-11-21T14:00:00Z') },
  serves: {
    replies: ({ url, headers }, stage) => {
      if (headers['x-goog-api-key'] !== 'key-of-a-test') return { status: 403, body: '{}' }
      if (!/^\/youtube\/v3\/(?:search|videos)$/.test(url.pathname)) return { status: 404, body: '' }
      return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer(STAGES[stage], url)) }
    },
  },
  refusals: REFUSALS,
  // Noon in London is four in the morning at the platform: twenty hours are left of its day.
  throttledForSeconds: 72_000,
  expected: {
    ordinary: ['post vid-one_001', 'post vid-two_002', 'post vid-five_05'],
    later: ['post vid-late_06', 'post vid-new_007'],
  },
  nativeIdPattern: /^[\w-]{11}$/,
  urlPattern: /^https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11}$/,
})

/** A context that answers from here and counts what was taken. */
function account(reply: (url: URL) => ServedReply | object, at = AT) {
  const asked: URL[] = []
  const taken: Record<string, number> = {}
  const count = (cost: Cost) => {
    for (const [quota, amount] of Object.entries(cost)) taken[quota] = (taken[quota] ?? 0) + amount
  }
  const context: CollectContext = {
    async fetch(address, init) {
      asked.push(new URL(address))
      count(init?.cost ?? {})
      const given = reply(asked.at(-1)!)
      if (given instanceof Error) throw given
      return 'body' in given
        ? { status: 200, headers: {}, ...(given as ServedReply) }
        : { status: 200, headers: {}, body: JSON.stringify(given) }
    },
    ...BARE_CONTEXT,
    spend: count,
    at,
  }
  const methods = () => asked.map((url) => url.pathname.split('/').at(-1))
  return { context, asked, taken, methods }
}

async function search(source: SearchSource, context: CollectContext, limit = 1000, terms = TERMS): Promise<Post[]> {
  const posts: Post[] = []
  for await (const portion of source.searching.search(context, {
    terms,
    since: new Date('2026-11-20T00:00:00.500Z'),
    limit,
  }))
    posts.push(...portion)
  return posts
}

const CHANNEL = 'UCExampleChannel00000001'
function many(count: number): Recorded {
  const ids = Array.from({ length: count }, (_, at) => `video_${String(at).padStart(5, '0')}`)
  const snippet = { publishedAt: '2026-11-21T09:00:00Z', channelId: CHANNEL, title: 'Acme Corp' }
  return {
    search: { items: ids.map((id) => ({ id: { videoId: id }, snippet })) },
    videos: { items: ids.map((id) => ({ id, snippet })) },
  }
}
const read = (id: string): Post => toPost(video.parse(STAGES.ordinary.videos.items.find((item) => item.id === id)), AT)!

describe('the query of youtube', () => {
  test('phrases are quoted and separated by bars; what people write ends none of them', () => {
    expect(queryOf(['acme corp', 'Beta', 'acme corp'])).toBe('"acme corp"|"Beta"')
    expect(queryOf(['say "hi"|-x', '“c++”'])).toBe('"say hi -x"|"c++"')
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 2, maxLength: 80 }), { minLength: 1, maxLength: 5 }),
        (terms) => {
          expect(queryOf(terms) ?? '""').toMatch(/^"[^"|]*"(?:\|"[^"|]*")*$/)
        },
      ),
    )
  })

  test('ordinary phrases are packed by eight, long ones by fewer; a single one always fits', () => {
    expect(TERMS_PER_SEARCH).toBe(8)
    expect(fits(Array.from({ length: 8 }, (_, at) => `a phrase of some words ${at}`))).toBe(true)
    expect(fits(Array.from({ length: 8 }, (_, at) => `${'long '.repeat(14)}${at}`))).toBe(false)
    expect(fits(['x'.repeat(500)])).toBe(true)
  })

  test('punctuation alone is not asked for', async () => {
    const { context, asked } = account(() => ({}))
    expect([await search(youtube(OPTIONS), context, 10, ['...', '|']), asked]).toEqual([[], []])
  })
})

describe('the quota of youtube', () => {
  test('a search and the description of its videos are counted apart', async () => {
    const { context, asked, taken } = account((url) => answer(STAGES.ordinary, url))
    await search(youtube(OPTIONS), context)
    expect(taken).toEqual({ searches: 1, units: 1 })
    expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({
      q: '"acme corp"|"beta inc"',
      publishedAfter: '2026-11-20T00:00:00Z',
      order: 'date',
    })
    for (const url of asked) expect(url.search).not.toContain('key-of-a-test')
  })

  test('a day has so many searches, spread over it, a quarter of them at once', () => {
    expect(youtube({ ...OPTIONS, searchesPerDay: 3 }).limits).toEqual([
      { quota: 'searches', kind: 'daily', most: 3, timeZone: 'America/Los_Angeles' },
      { quota: 'searches', kind: 'paced', most: 4, perSeconds: 86_400, burst: 1 },
      { quota: 'units', kind: 'daily', most: 10_000, timeZone: 'America/Los_Angeles' },
    ])
    expect(youtube(OPTIONS).limits[1]).toMatchObject({ most: 125, burst: 25 })
    expect(youtube(OPTIONS).searching.mostPosts).toBe(100)
  })

  test('a second page is searched for when the first is full and more are wanted, a third one never', async () => {
    const pages = async (there: number, limit: number) => {
      const { context, taken } = account((url) => answer(many(there), url))
      return [(await search(youtube(OPTIONS), context, limit)).length, taken['searches']]
    }
    expect([await pages(49, 1000), await pages(120, 1000), await pages(120, 50)]).toEqual([
      [49, 1],
      [100, 2],
      [50, 1],
    ])
    const short = account((url) => ({ ...answer(many(7), url), nextPageToken: 'more' }))
    expect([(await search(youtube(OPTIONS), short.context)).length, short.taken['searches']]).toEqual([7, 1])
  })

  test('a second page for which no search is left soon is done without', async () => {
    const context = (spent: 'search' | 'videos', error: Error) => {
      const { context } = account((url) =>
        url.pathname.endsWith(spent) &&
        url.searchParams.get(spent === 'search' ? 'pageToken' : 'id')?.match(/^50$|video_00050/)
          ? error
          : answer(many(120), url),
      )
      return context
    }
    const reached = new QuotaReached('the limits of the platform are reached for the moment', 900, false)
    expect(await search(youtube(OPTIONS), context('search', reached))).toHaveLength(50)
    expect(await search(youtube(OPTIONS), context('videos', reached))).toHaveLength(50)
    const broken = new SourceFault('unavailable', 'no whole reply')
    await expect(search(youtube(OPTIONS), context('search', broken))).rejects.toBe(broken)
    await expect(search(youtube(OPTIONS), account(() => reached).context), 'the first page').rejects.toBe(reached)
  })

  test('videos that are met again within two days are handed over again without being asked for', async () => {
    const source = youtube(OPTIONS)
    const poll = async (stage: Stage, at: string) => {
      const { context, asked } = account((url) => answer(STAGES[stage], url), new Date(at))
      const posts = await search(source, context)
      return [posts.map(({ nativeId }) => nativeId), asked.slice(1).map((url) => url.searchParams.get('id'))]
    }
    const first = ['vid-five_05', 'vid-two_002', 'vid-one_001']
    expect(await poll('ordinary', '2026-11-21T12:00:00Z')).toEqual([
      first,
      ['vid-five_05,vid-odd_004,vid-gone_03,vid-two_002,vid-one_001'],
    ])
    expect(await poll('later', '2026-11-21T14:00:00Z')).toEqual([
      ['vid-new_007', 'vid-five_05', 'vid-two_002', 'vid-late_06', 'vid-one_001'],
      ['vid-new_007,vid-odd_004,vid-gone_03,vid-late_06'],
    ])
    expect((await poll('ordinary', '2026-11-23T12:00:00Z'))[1]).toEqual([
      'vid-five_05,vid-odd_004,vid-gone_03,vid-two_002,vid-one_001',
    ])
  })

  test('an empty search asks for no videos', async () => {
    const { context, methods } = account((url) => answer(many(0), url))
    expect([await search(youtube(OPTIONS), context), methods()]).toEqual([[], ['search']])
  })
})

describe('the refusals of youtube', () => {
  const fault = async (reply: ServedReply, at = AT) =>
    search(youtube(OPTIONS), account(() => reply, at).context).catch((error: unknown) => error)

  test('a used-up day is over at midnight Pacific time, in either wording', async () => {
    for (const reply of [REFUSALS.throttled, COMPLAINTS.dayReachedNewer]) {
      expect(await fault(reply)).toMatchObject({ kind: 'throttled', retryAfterSeconds: 72_000, daily: true })
      expect(await fault(reply, new Date('2026-11-22T07:59:50Z'))).toMatchObject({ retryAfterSeconds: 10 })
    }
  })

  test('midnight Pacific time is right in summer, in winter and on the days between', () => {
    const hours = (at: string) => secondsToPacificMidnight(new Date(at)) / 3600
    expect([hours('2026-07-01T07:00:00Z'), hours('2026-07-01T19:00:00Z'), hours('2026-12-01T08:00:00Z')]).toEqual([
      24, 12, 24,
    ])
    // On 8 March the day has 23 hours, on 1 November 25.
    expect([hours('2026-03-08T08:00:00Z'), hours('2026-03-08T12:00:00Z')]).toEqual([23, 19])
    expect([hours('2026-11-01T07:00:00Z'), hours('2026-11-01T12:00:00Z')]).toEqual([25, 20])
    expect(secondsToPacificMidnight(new Date('2026-11-22T07:59:59.400Z'))).toBe(1)
  })

  test('too many requests at once are a short matter', async () => {
    expect(await fault(COMPLAINTS.tooFast)).toMatchObject({ kind: 'throttled', retryAfterSeconds: 7, daily: false })
    expect(await fault({ status: 429, body: 'slow down' })).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: null,
    })
  })

  test('a key that is wrong, or whose project may not ask, is a matter of the operator', async () => {
    for (const reply of [
      REFUSALS.credentials,
      COMPLAINTS.keyInvalidNewer,
      COMPLAINTS.notSwitchedOn,
      COMPLAINTS.forbidden,
    ])
      expect(await fault(reply)).toMatchObject({ kind: 'credentials' })
    expect(await fault(COMPLAINTS.notSwitchedOn)).toMatchObject({ message: expect.stringContaining('switched on') })
  })

  test('a request that is no longer understood is a change of shape', async () => {
    expect(await fault(COMPLAINTS.badPage)).toMatchObject({ kind: 'shape_changed' })
  })

  test('mostly odd videos are a change of shape, although the search was understood', async () => {
    const { search: found, videos } = many(5)
    const odd = { items: videos.items.map(({ id }, at) => (at === 0 ? videos.items[0]! : { id, snippet: {} })) }
    await expect(
      search(youtube(OPTIONS), account((url) => answer({ search: found, videos: odd }, url)).context),
    ).rejects.toMatchObject({
      kind: 'shape_changed',
    })
  })
})

describe('the posts of youtube', () => {
  test('a video: the whole description, its addresses, the largest picture, counts that are texts', () => {
    expect(read('vid-one_001')).toEqual({
      platform: 'youtube',
      nativeId: 'vid-one_001',
      url: 'https://www.youtube.com/watch?v=vid-one_001',
      title: `"Acme Corp" & friends: what's <new>?`,
      text: 'We look at Acme Corp for a whole hour.\n\nTheir page: https://acme.example/tour?from=video&lang=en.\nOur notes (https://ada.example/notes_(long)) and https://ada.example/notes).',
      imageUrl: 'https://i.example/vi/vid-one_001/maxresdefault.jpg',
      links: [
        'https://acme.example/tour?from=video&lang=en',
        'https://ada.example/notes_(long)',
        'https://ada.example/notes',
      ],
      publishedAt: new Date('2026-11-20T06:00:00Z'),
      languageHint: 'en',
      engagement: { likes: 190, reposts: null, replies: 32, quotes: null, views: 7920, bookmarks: null },
      replyTo: null,
      author: {
        id: CHANNEL,
        name: 'Ada Example',
        handle: null,
        url: `https://www.youtube.com/channel/${CHANNEL}`,
        avatarUrl: null,
        followers: null,
        automated: null,
      },
      review: null,
    })
  })

  test('counts that are hidden are not known; without any there is no engagement', () => {
    expect(read('vid-two_002')).toMatchObject({
      engagement: { likes: null, replies: null, views: 12 },
      imageUrl: expect.stringContaining('hqdefault'),
      languageHint: 'pt',
    })
    expect(read('vid-five_05').engagement).toBeNull()
  })
})

describe('the channels of youtube', () => {
  const byAda = read('vid-one_001')
  const byBoris = read('vid-two_002')
  const CHANNELS = recorded<object>('channels.json')

  test('handle, picture and reach are filled in once a week; hidden reach and older names are not known', async () => {
    const source = youtube(OPTIONS)
    const { context, asked, taken } = account(() => CHANNELS)
    const posts = await source.enrich!(context, [byAda, byBoris, byAda])
    expect(posts[0]).toEqual({
      ...byAda,
      author: { ...byAda.author, handle: '@adaexample', avatarUrl: 'https://yt.example/ada=s240', followers: 4210 },
    })
    expect(posts[1]).toEqual({
      ...byBoris,
      author: { ...byBoris.author, handle: null, avatarUrl: 'https://yt.example/boris=s88', followers: null },
    })
    expect(posts[2]).toEqual(posts[0])
    expect(asked.map((url) => url.searchParams.get('id'))).toEqual([`${CHANNEL},UCExampleChannel00000002`])
    await source.enrich!(context, [byAda, byBoris])
    expect(taken).toEqual({ units: 1 })
    const later = account(() => CHANNELS, new Date('2026-11-28T12:00:00Z'))
    await source.enrich!(later.context, [byAda])
    expect(later.taken).toEqual({ units: 1 })
  })

  test('fifty channels are looked up at once, and one that is gone stays as it was', async () => {
    const posts = Array.from({ length: 70 }, (_, at) => ({
      ...byAda,
      author: { ...byAda.author!, id: `UC${String(at).padStart(22, 'x')}` },
    }))
    const { context, asked } = account(() => ({ pageInfo: { totalResults: 0 } }))
    expect(await youtube(OPTIONS).enrich!(context, posts)).toEqual(posts)
    expect(asked.map((url) => url.searchParams.get('id')!.split(',').length)).toEqual([50, 20])
  })

  test('a channel that could not be read is asked for again, and is not taken for gone', async () => {
    const source = youtube(OPTIONS)
    const odd = account(() => ({ items: [{ id: CHANNEL }] }))
    expect(await source.enrich!(odd.context, [byAda])).toEqual([byAda])
    expect((await source.enrich!(account(() => CHANNELS).context, [byAda]))[0]?.author?.handle).toBe('@adaexample')
    await expect(
      source.resolveAuthor!(account(() => ({ items: [{ id: 'x' }] })).context, '@ada'),
    ).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('a handle leads to its channel, or to nobody', async () => {
    const { context, asked, taken } = account(() => ({ items: [{ id: CHANNEL }], pageInfo: { totalResults: 1 } }))
    const source = youtube(OPTIONS)
    expect(await source.resolveAuthor!(context, 'AdaExample')).toBe(CHANNEL)
    expect([asked[0]!.searchParams.get('forHandle'), taken]).toEqual(['@AdaExample', { units: 1 }])
    expect(await source.resolveAuthor!(context, 'no handle')).toBeNull()
    expect(
      await source.resolveAuthor!(account(() => ({ pageInfo: { totalResults: 0 } })).context, '@nobody'),
    ).toBeNull()
    await expect(source.resolveAuthor!(account(() => ({ entries: [] })).context, '@nobody')).rejects.toMatchObject({
      kind: 'shape_changed',
    })
  })
})
