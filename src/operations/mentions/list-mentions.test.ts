import { beforeAll, describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { changeKeyword, changeMention, makeAuthor } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted, stored, type TestWorkspace } from '../../../test/world.ts'
import { createAlert } from '../../commands/alerts/create-alert.ts'
import { createView } from '../../commands/views/create-view.ts'
import type { Verdict } from '../../domain/mention/classification.ts'
import { priorityOf } from '../../domain/mention/priority.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import type { Post } from '../../domain/post/post.ts'
import { DAY_MS, HOUR_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { newId, toId, type Uuid } from '../../kernel/ids.ts'
import { cursorText } from '../../queries/cursor.ts'

let brand: TestKeyword
let topic: TestKeyword
let groupId: string
let adaId: Uuid
let mutedId: Uuid
let memberId: Uuid
let alertId: string
let viewId: string
const ids: Record<string, string> = {}
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  groupId = await acme.group('Topics')
  brand = await makeKeyword(acme, { term: 'Rocket' })
  topic = await makeKeyword(acme, { term: 'Space', kind: 'topic' })
  await changeKeyword(world, topic.uuid, { groupId: stored('grp', groupId) })
  adaId = accountIdOf(acme.workspaceId, 'x', { id: '1', handle: null, url: null, name: null })!
  const sameId = accountIdOf(acme.workspaceId, 'bluesky', makePost(world).author)!
  mutedId = accountIdOf(acme.workspaceId, 'reddit', makePost(world).author)!
  await makeAuthor(world, acme.workspaceId, adaId, {
    tags: ['vip', 'a, b'],
    accounts: [
      { id: adaId, platform: 'x' },
      { id: sameId, platform: 'bluesky' },
    ],
  })
  await makeAuthor(world, acme.workspaceId, mutedId, {
    tags: ['press'],
    muted: true,
    accounts: [{ id: mutedId, platform: 'reddit' }],
  })
  memberId = (await createPerson(acme, acme.workspaceId, 'member')).userId
  const filter = { platforms: ['x', 'bluesky'] }
  alertId = accepted(
    await createAlert(acme, {
      name: 'Rule',
      mode: 'instant',
      event: 'mention.matched',
      filter,
      channelIds: [],
      enabled: false,
    }),
  ).id
  viewId = accepted(await createView(acme, { name: 'View', filter: { q: 'words', relevant: false } })).id
  for (const [name, { keyword, post, verdict }] of Object.entries(CAST)) {
    const made = await store(world, [
      matchedBy(makePost(world, { ...post(world.clock.now()), url: `https://posts.example/${name}` }), [keyword()]),
    ])
    if (verdict !== undefined) await score(world, made, verdict)
    ids[name] = toId('mtn', made[0]!.mentionId)
  }
  const named = (name: string) => stored('mtn', ids[name]!)
  await changeMention(world, named('chinese'), { status: 'done' })
  await changeMention(world, named('review'), { assigneeId: memberId })
  await changeMention(world, named('asleep'), { snoozedUntil: plus(world.clock.now(), HOUR_MS) })
})

/** The mentions of this file by name, in the order in which they are made; the first two are hidden. */
const CAST: Record<
  string,
  { keyword: () => TestKeyword; post: (now: Date) => Partial<Post>; verdict?: Partial<Verdict> | null }
> = {
  muted: {
    keyword: () => brand,
    post: (now) => ({ platform: 'reddit', text: 'Noise in Plain words.', publishedAt: now }),
    verdict: { relevance: 100, sentiment: 'neutral', intents: [] },
  },
  asleep: {
    keyword: () => brand,
    post: (now) => ({ platform: 'reddit', text: 'Later.', author: null, publishedAt: now }),
    verdict: { relevance: 100 },
  },
  loud: {
    keyword: () => brand,
    post: (now) => ({
      platform: 'x',
      title: 'Why C++?',
      text: "Node.js isn't slow: see it yourself, at launch.",
      links: ['https://docs.acme.com/guide'],
      engagement: { likes: 10, reposts: 20, replies: 30, quotes: 40, views: 50, bookmarks: 60 },
      replyTo: { author: 'a', url: null, text: null },
      author: {
        id: '1',
        name: 'Ada Lovelace',
        handle: 'ada',
        url: 'https://x.com/ada',
        avatarUrl: null,
        followers: 5000,
        automated: null,
      },
      publishedAt: plus(now, -2 * HOUR_MS),
    }),
    verdict: {
      relevance: 90,
      sentiment: 'negative',
      intents: ['complaint', 'pricing'],
      automated: true,
      language: 'de',
      confidence: 0.3,
    },
  },
  chinese: {
    keyword: () => topic,
    post: (now) => ({ platform: 'bluesky', text: '我喜欢火箭发射', publishedAt: plus(now, -HOUR_MS) }),
    verdict: { relevance: 39, sentiment: 'positive', intents: [], language: 'zh' },
  },
  review: {
    keyword: () => brand,
    post: (now) => ({
      platform: 'appstore',
      text: 'Crashes.',
      author: null,
      publishedAt: now,
      review: {
        rating: 2,
        ratingMax: 5,
        title: 'Meh',
        version: '1.0',
        country: 'de',
        verified: null,
        response: null,
        responseAt: null,
        app: { platform: 'appstore', id: '1234', url: 'https://apps.apple.com/app/id1234' },
      },
    }),
    verdict: { relevance: 70, sentiment: 'neutral', intents: ['bug_report'], language: null },
  },
  unscored: {
    keyword: () => topic,
    post: (now) => ({ platform: 'hackernews', text: 'Plain words.', publishedAt: now }),
  },
  failed: {
    keyword: () => topic,
    post: (now) => ({ platform: 'hackernews', text: 'Other words.', publishedAt: now }),
    verdict: null,
  },
}
const ALL = ['failed', 'unscored', 'review', 'chinese', 'loud']

const list = (query = '', workspace = acme) => workspace.api('GET', `/v1/mentions${query}`)
const names = (data: { post: { url: string } }[]) =>
  data.map(({ post }) => post.url.replace('https://posts.example/', ''))
const found = async (query: string) => {
  const { status, body } = await list(`?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return names(body.data)
}

test('a mention comes whole', async () => {
  const { body } = await list(`?keywordId=${brand.shown.id}`)
  const now = world.clock.now()
  const { group } = brand.shown
  expect(body.nextCursor).toBeNull()
  expect(body.data[1]).toEqual({
    id: expect.stringMatching(/^mtn_[0-9a-z]{26}$/),
    status: 'open',
    relevant: true,
    delivered: false,
    // 45 for relevance, 12.3 for reach, 17 for the complaint, 0.2 less for two hours.
    priority: 74,
    keyword: { id: brand.shown.id, term: 'Rocket', group },
    post: {
      platform: 'x',
      url: 'https://posts.example/loud',
      text: "Node.js isn't slow: see it yourself, at launch.",
      title: 'Why C++?',
      imageUrl: null,
      links: ['https://docs.acme.com/guide'],
      publishedAt: plus(now, -2 * HOUR_MS).toISOString(),
      engagement: { likes: 10, reposts: 20, replies: 30, quotes: 40, views: 50, bookmarks: 60 },
      replyTo: { author: 'a', url: null, text: null },
    },
    author: {
      id: '1',
      personId: toId('aut', adaId),
      name: 'Ada Lovelace',
      handle: 'ada',
      url: 'https://x.com/ada',
      avatarUrl: null,
      followers: 5000,
      tags: ['vip', 'a, b'],
    },
    review: null,
    classification: {
      relevance: 90,
      sentiment: 'negative',
      intents: ['complaint', 'pricing'],
      automated: true,
      language: 'de',
      confidence: 0.3,
      uncertain: true,
      note: 'It asks about the product.',
      failed: false,
      feedback: null,
    },
    triage: { assignee: null, snoozedUntil: null, note: null },
    createdAt: now.toISOString(),
  })
})

test('what is not known is null, and a failed score says so', async () => {
  const { body } = await list()
  const [failed, unscored, review] = body.data
  expect(unscored).toMatchObject({ relevant: false, classification: null, review: null })
  expect(failed).toMatchObject({
    relevant: false,
    classification: {
      relevance: null,
      sentiment: null,
      intents: [],
      automated: null,
      language: null,
      confidence: null,
      uncertain: false,
      note: null,
      failed: true,
      feedback: null,
    },
  })
  expect(review).toMatchObject({
    author: null,
    post: { engagement: null, replyTo: null },
    review: {
      rating: 2,
      ratingMax: 5,
      title: 'Meh',
      version: '1.0',
      country: 'de',
      verified: null,
      response: null,
      responseAt: null,
      app: { platform: 'appstore', id: '1234' },
    },
  })
})

const at = (hours: number) => encodeURIComponent(plus(world.clock.now(), -hours * HOUR_MS).toISOString())
const FILTERS: [query: string | (() => string), found: string[]][] = [
  ['', ALL],
  ['sort=newest', ALL],
  [() => `keywordId=${brand.shown.id}`, ['review', 'loud']],
  [() => `keywordIds=${brand.shown.id},${topic.shown.id}`, ALL],
  [() => `notKeywordIds=${brand.shown.id}`, ['failed', 'unscored', 'chinese']],
  ['keywordKinds=topic', ['failed', 'unscored', 'chinese']],
  [() => `groupIds=${groupId}`, ['failed', 'unscored', 'chinese']],
  [() => `notGroupIds=${groupId}`, ['review', 'loud']],
  ['platform=x', ['loud']],
  ['platforms=x,appstore', ['review', 'loud']],
  ['platforms=x&platforms=bluesky', ['chinese', 'loud']],
  ['notPlatforms=hackernews', ['review', 'chinese', 'loud']],
  ['platform=x&platforms=bluesky', []],
  ['status=open', ['failed', 'unscored', 'review', 'loud']],
  ['status=done', ['chinese']],
  ['status=ignored', []],
  ['relevant=true', ['review', 'loud']],
  ['relevant=false', ['failed', 'unscored', 'chinese']],
  ['minRelevance=70', ['review', 'loud']],
  ['minRelevance=0', ['review', 'chinese', 'loud']],
  ['maxRelevance=70', ['review', 'chinese']],
  ['minRelevance=70&maxRelevance=70', ['review']],
  ['failed=true', ['failed']],
  ['failed=false', ['unscored', 'review', 'chinese', 'loud']],
  ['delivered=true', []],
  ['delivered=false', ALL],
  ['unassigned=true', ['failed', 'unscored', 'chinese', 'loud']],
  ['unassigned=false', ['review']],
  [() => `ids=${ids['review']},${ids['loud']},${ids['asleep']}`, ['review', 'loud']],
  [() => `ids=${ids['review']}&platform=x`, []],
  [() => `ids=${newId('mtn', world.clock.now())}`, []],
  [() => `createdSince=${at(0)}`, ALL],
  [() => `createdUntil=${at(0)}`, []],
  [() => `createdSince=${at(1)}&createdUntil=${at(-1)}&since=${at(1)}`, ['failed', 'unscored', 'review', 'chinese']],
  ['createdSince=2001-01-01&createdUntil=2001-01-02', []],
  ['minConfidence=0.31', ['review', 'chinese']],
  ['sentiment=negative', ['loud']],
  ['sentiments=negative,neutral', ['review', 'loud']],
  ['notSentiments=negative', ['failed', 'unscored', 'review', 'chinese']],
  ['intent=pricing', ['loud']],
  ['intents=pricing,bug_report', ['review', 'loud']],
  ['intent=pricing&intents=complaint', ['loud']],
  ['notIntents=complaint', ['failed', 'unscored', 'review', 'chinese']],
  ['automated=true', ['loud']],
  ['automated=false', ['failed', 'unscored', 'review', 'chinese']],
  ['languages=de,ZH', ['chinese', 'loud']],
  ['notLanguages=de', ['failed', 'unscored', 'review', 'chinese']],
  ['tags=vip', ['chinese', 'loud']],
  ['tags=other,a%2C%20b', []],
  ['tags=other&tags=a%2C%20b', ['chinese', 'loud']],
  ['tags=VIP', []],
  ['tags=press', []],
  ['tags=press&includeMuted=true', ['muted']],
  ['notTags=vip', ['failed', 'unscored', 'review']],
  [() => `personId=${toId('aut', adaId)}`, ['chinese', 'loud']],
  [() => `personId=${toId('aut', adaId)}&platform=x`, ['loud']],
  [() => `personId=${toId('aut', mutedId)}`, ['muted']],
  [() => `personId=${toId('aut', mutedId)}&includeMuted=false`, ['muted']],
  [() => `personId=${newId('aut', world.clock.now())}`, []],
  ['includeMuted=true', [...ALL, 'muted']],
  ['includeMuted=false', ALL],
  ['snoozed=true', ['asleep']],
  ['snoozed=false', ALL],
  [() => `assigneeId=${toId('user', memberId)}`, ['review']],
  [() => `assigneeId=${newId('user', world.clock.now())}`, []],
  [() => `alertId=${alertId}`, ['loud']],
  [() => `alertId=${alertId}&relevant=false`, []],
  [() => `viewId=${viewId}`, ['failed', 'unscored']],
  [() => `viewId=${viewId}&q=plain`, ['unscored']],
  [() => `viewId=${viewId}&relevant=true`, []],
  [() => `viewId=${viewId}&alertId=${alertId}`, []],
  ['linkHosts=acme.com', ['loud']],
  ['linkHosts=docs.acme.com', ['loud']],
  ['linkHosts=other.acme.com', []],
  ['notLinkHosts=acme.com', ['failed', 'unscored', 'review', 'chinese']],
  ['excludeAuthors=@ada', ['failed', 'unscored', 'review', 'chinese']],
  ['excludeAuthors=https%3A%2F%2Fx.com%2Fada', ['failed', 'unscored', 'review', 'chinese']],
  ['excludeAuthors=ada%20lovelace', ['failed', 'unscored', 'review', 'chinese']],
  ['minFollowers=5000', ['loud']],
  ['maxFollowers=10', ['failed', 'unscored', 'chinese']],
  ['isReply=true', ['loud']],
  ['isReply=false', ['failed', 'unscored', 'review', 'chinese']],
  ['ratings=1,2', ['review']],
  ['notRatings=2', ['failed', 'unscored', 'chinese', 'loud']],
  ['reviewApp=1234', ['review']],
  ['reviewApp=123', []],
  ['reviewCountry=DE', ['review']],
  ['reviewCountry=us', []],
  ['reviewVersion=1.0', ['review']],
  ['reviewVersion=1.0.0', []],
  ['reviewApp=1234&reviewCountry=de&reviewVersion=1.0&platforms=appstore', ['review']],
  ['reviewApp=1234&reviewVersion=2', []],
  ['reviewCountry=de&notRatings=2', []],
  ['minLikes=10', ['loud']],
  ['minLikes=11', []],
  ['minReposts=20', ['loud']],
  ['minReplies=30', ['loud']],
  ['minQuotes=40', ['loud']],
  ['minViews=50', ['loud']],
  ['minBookmarks=60', ['loud']],
  ['minBookmarks=61', []],
  [`anyOf=${encodeURIComponent('[{"platforms":["x"]},{"ratings":[2],"relevant":true}]')}`, ['review', 'loud']],
  [`relevant=true&anyOf=${encodeURIComponent('[{"platforms":["hackernews"]}]')}`, []],
  ['q=slow', ['loud']],
  ['q=SLOW%20yourself', ['loud']],
  ['q=slow%20words', []],
  ['q=c%2B%2B', ['loud']],
  ['q=node.js', ['loud']],
  ["q=isn't", ['loud']],
  ['q=lovelace', ['loud']],
  [`q=${encodeURIComponent('火箭')}`, ['chinese']],
  [`q=${encodeURIComponent('火车')}`, []],
  [`q=${encodeURIComponent('Ｐｌａｉｎ')}`, ['unscored']],
  ['q=%3F%21', []],
  [() => `since=${at(1)}`, ['failed', 'unscored', 'review', 'chinese']],
  [() => `until=${at(1)}`, ['loud']],
  [() => `since=${at(1)}&until=${at(0)}`, ['chinese']],
  [() => `since=${world.clock.now().getTime()}`, ['failed', 'unscored', 'review']],
]

test.each(
  FILTERS.map(([query, wanted], place) => ({
    place,
    name: typeof query === 'string' ? query : String(query).slice(6),
    wanted,
  })),
)('$name finds $wanted', async ({ place, wanted }) => {
  const [query] = FILTERS[place]!
  const parameters = typeof query === 'string' ? query : query()
  expect(await found(parameters)).toEqual(wanted)
  if (!parameters.startsWith('sort='))
    expect((await acme.api('GET', `/v1/mentions/count?${parameters}`)).body).toEqual({ total: wanted.length })
})

test('by relevance the highest come first, page by page, and what has none is left out', async () => {
  const first = await list('?sort=relevance&limit=2')
  expect(names(first.body.data)).toEqual(['loud', 'review'])
  const second = await list(`?sort=relevance&limit=2&cursor=${first.body.nextCursor}`)
  expect([names(second.body.data), second.body.nextCursor]).toEqual([['chinese'], null])
})

test('the oldest come first up to the first that waits for its score, and where to go on is told', async () => {
  await world.clock.advance(5 * SECOND_MS)
  const { body } = await list('?sort=oldest&minRelevance=40')
  expect(names(body.data)).toEqual(['loud', 'review'])
  expect(body).toEqual({ data: body.data, nextCursor: null, resumeCursor: expect.any(String) })
  expect((await list(`?sort=oldest&minRelevance=40&cursor=${body.resumeCursor}`)).body.data).toEqual([])
  expect((await list(`?sort=newest&cursor=${body.resumeCursor}`)).body.error.code).toBe('invalid_cursor')
  expect(Object.keys((await list()).body)).toEqual(['data', 'nextCursor'])
})

test.each(['list', 'count', 'export.json', 'export.csv'])(
  'an unknown rule or view is not found, whatever is made of its mentions: %s',
  async (text) => {
    const path = text === 'list' ? '/v1/mentions' : `/v1/mentions/${text}`
    for (const query of [`alertId=${newId('feed', world.clock.now())}`, `viewId=${newId('vw', world.clock.now())}`]) {
      const { status, body } = await acme.api('GET', `${path}?${query}`)
      expect([status, body.error.code]).toEqual([404, 'not_found'])
    }
  },
)

test('every filter parameter is tried here', async () => {
  const { listMentionsOperation } = await import('./list-mentions.ts')
  const tried = new Set(
    FILTERS.flatMap(([query]) => [...new URLSearchParams(typeof query === 'string' ? query : query()).keys()]),
  )
  expect(
    Object.keys(listMentionsOperation.query.shape).filter(
      (name) => !tried.has(name) && name !== 'limit' && name !== 'cursor',
    ),
  ).toEqual([])
})

describe('walking', () => {
  const walk = async (query: string, workspace: TestWorkspace, between: () => Promise<unknown>) => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body }: { body: { data: { id: string }[]; nextCursor: string | null } } = await list(
        `?${query}${cursor === null ? '' : `&cursor=${cursor}`}`,
        workspace,
      )
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.nextCursor
      await between()
    } while (cursor !== null)
    return seen
  }

  test.each([1, 3, 7, 10, 100])(
    'in pages of %i sees what was there once, in order, whatever comes in meanwhile',
    async (limit) => {
      const workspace = await world.workspace(`Walk ${limit}`)
      const keyword = await makeKeyword(workspace)
      const add = (count: number) =>
        store(
          world,
          Array.from({ length: count }, () => matchedBy(makePost(world), [keyword])),
        )
      await add(10)
      const before = (await list('?limit=100', workspace)).body.data.map(({ id }: { id: string }) => id)
      expect(await walk(`limit=${limit}`, workspace, () => add(2))).toEqual(before)
    },
  )

  test('ends with a page that is just full', async () => {
    expect((await list('?limit=5')).body.nextCursor).toBeNull()
    expect((await list('?limit=4')).body.nextCursor).not.toBeNull()
  })

  test('has 25 to a page unless told otherwise', async () => {
    const workspace = await world.workspace('Pages')
    const keyword = await makeKeyword(workspace)
    await store(
      world,
      Array.from({ length: 26 }, () => matchedBy(makePost(world), [keyword])),
    )
    expect((await list('', workspace)).body.data).toHaveLength(25)
  })

  test('from an item that is gone, or another workspace, is not found', async () => {
    const workspace = await world.workspace('Gone')
    const keyword = await makeKeyword(workspace)
    await store(
      world,
      [1, 2].map(() => matchedBy(makePost(world), [keyword])),
    )
    const { nextCursor } = (await list('?limit=1', workspace)).body
    expect((await list(`?cursor=${nextCursor}`)).body.error.code).toBe('not_found')
    await workspace.api('DELETE', `/v1/keywords/${keyword.shown.id}`)
    const { status, body } = await list(`?cursor=${nextCursor}`, workspace)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })

  test.each([
    ['garbage', 'garbage'],
    ['nothing', ''],
    ['a text far too long', 'x'.repeat(2000)],
    ['a cursor of another sort', cursorText('published', '01900000-0000-7000-8000-000000000001' as Uuid)],
    ['a cursor with marks', cursorText('newest', '01900000-0000-7000-8000-000000000001' as Uuid, [1])],
    ['an id', newId('mtn', new Date(0))],
  ])('from %s is refused', async (_, cursor) => {
    const { status, body } = await list(`?cursor=${cursor}`)
    expect([status, body.error.code]).toEqual([400, 'invalid_cursor'])
  })
})

describe('sorted', () => {
  /** Mentions of one workspace with all that orders them, in the order in which they were made. */
  const facts: {
    id: string
    publishedAt: Date
    followers: number | null
    relevance: number | null
    buying: boolean
    likes: number | null
    views: number | null
  }[] = []
  let workspace: TestWorkspace
  let keyword: TestKeyword
  const AGES = [0, 0.3, 0.9, 1, 1.1, 2.5, 3, 3.2, 5, 7, 7.5, 11, 20, 29, 29.9, 30, 31, 400]
  beforeAll(async () => {
    workspace = await world.workspace('Sorted')
    keyword = await makeKeyword(workspace)
    for (let at = 0; at < 54; at += 1) await add(at)
  })

  async function add(at: number): Promise<void> {
    const [likes, views] = [[null, 3, 500, 2_000_000_000][at % 4]!, [null, -7, 2_000_000_000][at % 3]!]
    const [followers, relevance] = [[null, 0, 3000, 5_000_000][(at >> 1) % 4]!, [null, 10, 95, 100, 60][at % 5]!]
    const publishedAt = plus(world.clock.now(), -AGES[(at * 5) % AGES.length]! * DAY_MS)
    const engagement = { likes, reposts: null, replies: null, quotes: null, views, bookmarks: null }
    const author = { ...makePost(world).author!, followers }
    const made = await store(world, [matchedBy(makePost(world, { publishedAt, engagement, author }), [keyword])], {
      metered: false,
    })
    if (relevance !== null) await score(world, made, { relevance, intents: at % 2 ? ['buy_intent', 'praise'] : [] })
    facts.push({
      id: toId('mtn', made[0]!.mentionId),
      publishedAt,
      followers,
      relevance,
      buying: at % 2 === 1 && relevance !== null,
      likes,
      views,
    })
  }

  type Fact = (typeof facts)[number]
  const RANKS: Record<string, (fact: Fact, at: Date) => number> = {
    priority: ({ buying, ...fact }, at) => priorityOf({ ...fact, intents: buying ? ['praise', 'buy_intent'] : [] }, at),
    engagement: ({ likes, views }) => (likes ?? 0) + (views ?? 0),
    published: ({ publishedAt }) => publishedAt.getTime(),
  }

  /** What the sort should answer at an instant. */
  function expected(sort: string, at: Date): string[] {
    const recent = facts.filter(({ publishedAt }) => sort === 'published' || publishedAt > plus(at, -30 * DAY_MS))
    const ranked = recent.map((fact) => ({ id: fact.id, rank: RANKS[sort]!(fact, at) }))
    return ranked.sort((a, b) => b.rank - a.rank || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
  }

  test.each(['priority', 'engagement', 'published'])(
    'by %s, the highest come first, and ties by the newest match',
    async (sort) => {
      const { body } = await list(`?sort=${sort}&limit=100`, workspace)
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected(sort, world.clock.now()))
      expect(body.nextCursor).toBeNull()
    },
  )

  test.each(['priority', 'engagement', 'published'])(
    'by %s, pages show each once and in order while time goes by and others come in',
    async (sort) => {
      for (const limit of [4, 9]) {
        const before = expected(sort, world.clock.now())
        const there = new Set(facts.map(({ id }) => id))
        const seen: string[] = []
        let cursor: string | null = null
        for (let pages = 0; pages === 0 || cursor !== null; pages += 1) {
          const { status, body } = await list(
            `?sort=${sort}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
            workspace,
          )
          expect(status, JSON.stringify(body)).toBe(200)
          seen.push(...body.data.map(({ id }: { id: string }) => id))
          cursor = body.nextCursor
          if (pages % 7 === 0) await add(facts.length)
          await world.clock.advance(20 * 60_000)
        }
        expect(seen.length).toBe(new Set(seen).size)
        expect(seen.filter((id) => there.has(id))).toEqual(before)
      }
    },
  )

  test('the pages of a sort that changes with time show the priority by which they are sorted', async () => {
    const first = (await list('?sort=priority&limit=10', workspace)).body
    await world.clock.advance(2 * DAY_MS)
    const second = (await list(`?sort=priority&limit=10&cursor=${first.nextCursor}`, workspace)).body
    const priorities: number[] = [...first.data, ...second.data].map(({ priority }) => priority)
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a))
  })

  test('a cursor cannot make the past longer, and is good for a week', async () => {
    const id = stored('mtn', facts[0]!.id)
    const now = world.clock.now().getTime()
    const answer = async (cursor: string) =>
      (await list(`?sort=priority&cursor=${cursor}`, workspace)).body.error?.code ?? 'answered'
    expect(await answer(cursorText('priority', id, [now, 50]))).toBe('answered')
    for (const began of [0, now - 8 * DAY_MS, now + HOUR_MS, 10 ** 14])
      expect(await answer(cursorText('priority', id, [began, 50]))).toBe('invalid_cursor')
    for (const marks of [[], [now], [now, 50, 1]])
      expect(await answer(cursorText('priority', id, marks))).toBe('invalid_cursor')
    expect(await answer(cursorText('engagement', id, [now, 50]))).toBe('invalid_cursor')
    expect(await answer(cursorText('priority', stored('mtn', newId('mtn', world.clock.now())), [now, 50]))).toBe(
      'not_found',
    )
  })
})

test('another workspace sees nothing, not even by the id of a keyword', async () => {
  const other = await world.workspace('Other')
  expect((await list('', other)).body).toEqual({ data: [], nextCursor: null })
  expect((await list(`?keywordId=${brand.shown.id}&q=slow`, other)).body.data).toEqual([])
})

test.each([
  ['nonsense=1', 'nonsense: is not a parameter of this operation'],
  ['limit=0', 'limit: must be at least 1'],
  ['limit=101', 'limit: must be at most 100'],
  ['sort=eldest', 'sort: must be one of newest, oldest, relevance, priority, published, engagement'],
  ['snoozed=maybe', 'snoozed: must be true or false'],
  ['personId=somebody', 'personId: must be an id that starts with aut_'],
  ['assigneeId=me', 'assigneeId: must be an id that starts with user_'],
  ['viewId=feed_1', 'viewId: must be an id that starts with vw_'],
  ['q=', 'q: must not be empty'],
  [`q=${'x'.repeat(201)}`, 'q: must have at most 200 characters'],
  [
    'since=yesterday',
    'since: must be a time: ISO 8601 with an offset, a day such as 2026-11-20, or milliseconds since 1970',
  ],
  [
    'until=2026-02-30T00:00:00Z',
    'until: must be a time: ISO 8601 with an offset, a day such as 2026-11-20, or milliseconds since 1970',
  ],
  [
    'since=2026-11-20T09:30:00',
    'since: must be a time: ISO 8601 with an offset, a day such as 2026-11-20, or milliseconds since 1970',
  ],
  ['keywordId=kw_1', 'keywordId: must be an id that starts with kw_'],
  ['status=closed', 'status: must be one of open, ignored, done'],
  ['relevant=yes', 'relevant: must be true or false'],
  ['minRelevance=101', 'minRelevance: must be at most 100'],
  ['ratings=6', 'ratings: must be at most 5'],
  ['anyOf=x', 'anyOf: must be a JSON array'],
  ['anyOf=%5B%5D', 'anyOf: must not be empty'],
  ['anyOf=%5B%7B%7D%5D', 'anyOf.0: must hold at least one condition'],
  [`languages=${Array.from({ length: 21 }, () => 'en').join(',')}`, 'languages: must have at most 20 entries'],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await list(`?${query}`)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})
