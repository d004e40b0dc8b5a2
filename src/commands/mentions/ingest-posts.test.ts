import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  makeKeyword,
  makePost,
  matchedBy,
  mention,
  recount,
  score,
  store,
  type TestKeyword,
} from '../../../test/mentions.ts'
import { changeKeyword } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, stored, type TestWorkspace, type World } from '../../../test/world.ts'
import { capOf } from '../../domain/keyword/keyword.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { SEARCH_PLATFORMS } from '../../domain/platform/platforms.ts'
import { postId } from '../../domain/post/post-id.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { accountFacet, facetHash } from '../../store/filter/facets.ts'
import { postsOfAuthors } from '../../store/mention/posts.ts'
import { readUnscored } from '../../store/model/unscored.ts'
import { createAlert } from '../alerts/create-alert.ts'
import { createChannel } from '../channels/create-channel.ts'
import { deleteKeyword } from '../keywords/delete-keyword.ts'
import { startMonth } from '../keywords/start-month.ts'
import { updateKeyword } from '../keywords/update-keyword.ts'
import { grantCredit } from '../wallet/grant-credit.ts'
import { ingestPosts } from './ingest-posts.ts'
import { removePosts } from './remove-posts.ts'

let made = 0
const world = useWorld()

async function workspace(): Promise<TestWorkspace> {
  made += 1
  return world.workspace(`Workspace ${made}`)
}

/** A workspace with a webhook that hears every event of keywords. */
async function listening(): Promise<TestWorkspace> {
  const acme = await workspace()
  accepted(
    await createChannel(acme, {
      kind: 'webhook',
      url: 'https://receiver.example/',
      events: ['keyword.capped', 'keyword.resumed'],
    }),
  )
  return acme
}

interface Told {
  event: string
  data: Record<string, unknown>
}

function events({ workspaceId }: TestWorkspace): Promise<Told[]> {
  return world.db.query<Told>(
    sql`select event, data from delivery where workspace_id = ${workspaceId} and kind = 'event' order by id`,
  )
}

async function counterOf({ uuid }: TestKeyword) {
  const [row] = await world.db.query<Record<string, unknown>>(sql`
    select c.mentions, c.month::text, c.month_mentions, c.last_mention_at, k.paused_for_cap from keyword_counter c
      join keyword k on k.id = c.keyword_id where c.keyword_id = ${uuid}`)
  return row!
}

async function mentionsOf({ uuid }: TestKeyword): Promise<number> {
  const [row] = await world.db.query<{ count: number }>(sql`select count(*) from mention where keyword_id = ${uuid}`)
  return row!.count
}

const posts = (count: number) => Array.from({ length: count }, () => makePost(world))

describe('a matched post', () => {
  test('becomes a mention for each keyword, waits for its score and is counted', async () => {
    const acme = await workspace()
    const [first, second] = [await makeKeyword(acme), await makeKeyword(acme)]
    const post = makePost(world, {
      platform: 'hackernews',
      title: 'Title',
      links: ['https://docs.acme.com/x'],
      engagement: { likes: 1, reposts: null, replies: 3, quotes: null, views: null, bookmarks: null },
      replyTo: { author: 'a', url: null, text: null },
    })
    const made = await store(world, [matchedBy(post, [first, second])])
    expect(made.map(({ workspaceId }) => workspaceId)).toEqual([acme.workspaceId, acme.workspaceId])
    const rows = await world.db.query(sql`
      select m.keyword_id, m.post_id, m.created_at, m.published_at, m.platform, m.status, m.delivered, m.is_reply,
        m.followers, m.likes, m.reposts, m.replies, m.scored_at, q.leased_until, q.attempts
      from mention m join score_queue q on q.workspace_id = m.workspace_id and q.mention_id = m.id
        where m.workspace_id = ${acme.workspaceId} order by m.id`)
    const now = world.clock.now()
    const row = {
      post_id: postId('hackernews', post.nativeId),
      created_at: now,
      published_at: now,
      platform: 1,
      status: 0,
      delivered: false,
      is_reply: true,
      followers: 10,
    }
    const waits = {
      likes: 1,
      reposts: null,
      replies: 3,
      scored_at: null,
      leased_until: new Date(now.getTime() + 30_000),
      attempts: 0,
    }
    expect(rows).toEqual([
      { keyword_id: first.uuid, ...row, ...waits },
      { keyword_id: second.uuid, ...row, ...waits },
    ])
    expect(await counterOf(first)).toEqual({
      mentions: 1,
      month: '2026-11-01',
      month_mentions: 1,
      last_mention_at: now,
      paused_for_cap: false,
    })
  })

  test('is answered with all that its scorer would read', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme, {
      context: 'Not the salad.',
      groupId: stored('grp', await acme.group('Rockets')),
    })
    await world.db.query(
      sql`update keyword_group set context = 'We make rockets.', external_id = 'r-1'
          where workspace_id = ${acme.workspaceId} and not is_default`,
    )
    const plain = await makeKeyword(acme)
    const review = {
      rating: 4,
      ratingMax: 5,
      title: 'Good',
      version: '1',
      country: 'us',
      verified: null,
      response: 'Thanks',
      responseAt: world.clock.now(),
      app: null,
    }
    const post = makePost(world, {
      platform: 'trustpilot',
      review,
      links: ['https://acme.com/'],
      replyTo: { author: 'a', url: null, text: 'b' },
    })
    const made = await store(world, [
      matchedBy(post, [keyword, plain]),
      matchedBy(makePost(world, { author: null, title: 'Title' }), [plain]),
    ])
    expect(made).toHaveLength(3)
    expect(await readUnscored(world.db, made)).toEqual(made)
  })

  test('makes nothing new when it comes again, alone or in the same batch', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const match = matchedBy(makePost(world), [keyword, keyword])
    expect(await store(world, [match, match])).toHaveLength(1)
    expect(await store(world, [match])).toEqual([])
    expect([await mentionsOf(keyword), (await counterOf(keyword))['mentions']]).toEqual([1, 1])
  })

  test('keeps the newer text when it comes again for another keyword', async () => {
    const acme = await workspace()
    const [first, second] = [await makeKeyword(acme), await makeKeyword(acme)]
    const post = makePost(world, { text: 'before' })
    await store(world, [matchedBy(post, [first])])
    await store(world, [matchedBy({ ...post, text: 'after' }, [second])])
    const rows = await world.db.query(sql`select body from post where id = ${postId(post.platform, post.nativeId)}`)
    expect(rows).toEqual([{ body: 'after' }])
  })

  test('with counts beyond what a column holds is stored all the same', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const huge = Number.MAX_SAFE_INTEGER
    const engagement = { likes: -3, reposts: huge, replies: huge, quotes: huge, views: huge, bookmarks: huge }
    const post = makePost(world, { engagement, author: { ...makePost(world).author!, followers: huge } })
    expect(await store(world, [matchedBy(post, [keyword])])).toHaveLength(1)
    const rows = await world.db.query(
      sql`select m.likes, m.views, m.followers, p.engagement from mention m join post p on p.id = m.post_id
          where m.keyword_id = ${keyword.uuid}`,
    )
    expect(rows).toEqual([{ likes: -3, views: 2_147_483_647, followers: 2_147_483_647, engagement }])
  })

  test('for nobody, or for keywords that are gone or muted, leaves no trace', async () => {
    const acme = await workspace()
    const gone = await makeKeyword(acme)
    const muted = await makeKeyword(acme)
    accepted((await deleteKeyword(acme, gone.uuid)) ?? null)
    accepted(await updateKeyword(acme, muted.uuid, { muted: true }))
    const post = makePost(world)
    expect(await store(world, [])).toEqual([])
    expect(await store(world, [matchedBy(post, [gone, muted])])).toEqual([])
    expect(await world.db.query(sql`select 1 from post where id = ${postId(post.platform, post.nativeId)}`)).toEqual([])
  })
})

describe('the limit of a month', () => {
  test('is never passed, tells of itself once, and says what it counted', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace, { term: 'Capped', kind: 'topic', cap: { mentions: 3 } })
    expect(
      await store(
        world,
        posts(5).map((post) => matchedBy(post, [keyword])),
      ),
    ).toHaveLength(3)
    expect(
      await store(
        world,
        posts(2).map((post) => matchedBy(post, [keyword])),
      ),
    ).toEqual([])
    expect(await counterOf(keyword)).toMatchObject({ mentions: 3, month_mentions: 3, paused_for_cap: true })
    const now = world.clock.now().toISOString()
    const data = {
      keyword: { id: keyword.shown.id, term: 'Capped', kind: 'topic' },
      cap: { mentions: 3 },
      thisMonth: 3,
      pausedAt: now,
      resumesAt: '2026-12-01T00:00:00.000Z',
    }
    expect(await events(workspace)).toEqual([{ event: 'keyword.capped', data }])
  })

  test('is that of the welcome credit until it is lifted, and none at all on an unmetered installation', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const many = posts(201).map((post) => matchedBy(post, [keyword]))
    expect(await store(world, many)).toHaveLength(200)
    expect(await store(world, many, { metered: false })).toHaveLength(1)
  })

  test('holds when several transactions fill it at once', async () => {
    const workspace = await listening()
    const keywords = [
      await makeKeyword(workspace, { cap: { mentions: 20 } }),
      await makeKeyword(workspace, { cap: { mentions: 33 } }),
    ]
    const batches = Array.from({ length: 8 }, () => posts(10).map((post) => matchedBy(post, keywords)))
    const results = await Promise.all(batches.map((batch) => store(world, batch)))
    expect(results.flat()).toHaveLength(53)
    expect(await Promise.all(keywords.map(mentionsOf))).toEqual([20, 33])
    expect((await events(workspace)).map(({ event }) => event)).toEqual(['keyword.capped', 'keyword.capped'])
  })

  test('that is lowered while a batch waits for the counter counts for that batch', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace, { cap: { mentions: 100 } })
    await store(
      world,
      posts(5).map((post) => matchedBy(post, [keyword])),
    )
    const late = await behind(
      keyword,
      (tx) => updateKeyword({ ...workspace, db: within(tx) }, keyword.uuid, { cap: { mentions: 5 } }),
      [makePost(world)],
    )
    expect(late).toEqual([])
    expect(await counterOf(keyword)).toMatchObject({ month_mentions: 5, paused_for_cap: true })
  })

  test('of the welcome credit that is lifted while a batch waits does not stop the keyword', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace)
    await store(
      world,
      posts(199).map((post) => matchedBy(post, [keyword])),
    )
    const late = await behind(keyword, (tx) => grantCredit({ ...workspace, db: within(tx) }, 2000), posts(3))
    expect(late).toHaveLength(3)
    expect(await counterOf(keyword)).toMatchObject({ month_mentions: 202, paused_for_cap: false })
    expect(await events(workspace)).toEqual([])
  })

  test('of the welcome credit that a batch reaches while a credit comes in is lifted too', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace)
    await store(
      world,
      posts(199).map((post) => matchedBy(post, [keyword])),
    )
    let granted: Promise<number> | undefined
    await world.db.transaction(async (tx) => {
      await ingestPosts(
        tx,
        posts(3).map((post) => matchedBy(post, [keyword])),
        { at: world.clock.now(), metered: true, leasedUntil: world.clock.now() },
      )
      granted = grantCredit(workspace, 2000)
      await somebodyWaits()
    })
    await granted
    expect(await counterOf(keyword)).toMatchObject({ month_mentions: 200, paused_for_cap: false })
    expect((await events(workspace)).map(({ event, data }) => [event, data['reason']])).toEqual([
      ['keyword.capped', undefined],
      ['keyword.resumed', 'cap_raised'],
    ])
  })
})

describe('a keyword that changes while a batch waits for its counter', () => {
  test('gets no mention once it is muted', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const late = await behind(
      keyword,
      (tx) => updateKeyword({ ...acme, db: within(tx) }, keyword.uuid, { muted: true }),
      [makePost(world)],
    )
    expect([late, await mentionsOf(keyword)]).toEqual([[], 0])
  })

  test('gets no mention once it is removed, and nothing is left behind', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    await mention(world, keyword)
    const late = await behind(keyword, (tx) => deleteKeyword({ ...acme, db: within(tx) }, keyword.uuid), [
      makePost(world),
    ])
    expect([late, await mentionsOf(keyword)]).toEqual([[], 0])
  })
})

test('however posts come, repeated and at once, there is one mention for each keyword and post, and every count is right', async () => {
  const acme = await workspace()
  const keywords = [
    await makeKeyword(acme),
    await makeKeyword(acme, { cap: { mentions: 7 } }),
    await makeKeyword(acme, { cap: { mentions: 30 } }),
  ]
  const pool = Array.from({ length: 25 }, (_, at) => makePost(world, { platform: SEARCH_PLATFORMS[at % 3]! }))
  const wanted = new Set<string>()
  const match = fc.record({ post: fc.nat(pool.length - 1), keywords: fc.subarray([0, 1, 2], { minLength: 1 }) })
  const batches = fc.array(fc.array(match, { maxLength: 12 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(batches, async (rounds) => {
      const results = await Promise.all(
        rounds.map((round) =>
          store(
            world,
            round.map((entry) =>
              matchedBy(
                pool[entry.post]!,
                entry.keywords.map((at) => keywords[at]!),
              ),
            ),
          ),
        ),
      )
      for (const entry of rounds.flat()) for (const at of entry.keywords) wanted.add(`${entry.post} ${at}`)
      const total = await Promise.all(keywords.map(mentionsOf))
      const distinct = keywords.map((_, at) => [...wanted].filter((pair) => pair.endsWith(` ${at}`)).length)
      expect(total).toEqual([distinct[0], Math.min(7, distinct[1]!), Math.min(30, distinct[2]!)])
      expect(new Set(results.flat().map(({ mentionId }) => mentionId)).size).toBe(results.flat().length)
    }),
    { numRuns: 40 },
  )
  const { counters, days } = await recount(world, acme.workspaceId)
  expect(counters.kept).toEqual(counters.counted)
  expect(days.kept).toEqual(days.counted)
  const months = await Promise.all(keywords.map(counterOf))
  expect(months.map((counter) => counter['month_mentions'])).toEqual(await Promise.all(keywords.map(mentionsOf)))
  expect(months.map((counter) => counter['paused_for_cap'])).toEqual(
    keywords.map(({ shown }, at) => Number(months[at]!['month_mentions']) >= capOf(shown.cap!.own, true)!.mentions),
  )
  const twice = await world.db.query(
    sql`select post_id from mention where workspace_id = ${acme.workspaceId}
        group by keyword_id, post_id having count(*) > 1`,
  )
  expect(twice).toEqual([])
})

test.each([
  [
    'a change of the keyword',
    (workspace: TestWorkspace, keyword: TestKeyword) =>
      updateKeyword(workspace, keyword.uuid, { muted: false, context: 'Now.' }),
  ],
  ['a credit', (workspace: TestWorkspace) => grantCredit(workspace, 100)],
] as const)('%s that waits for a batch does not hold what the batch still needs', async (_, change) => {
  const acme = await workspace()
  const keyword = await makeKeyword(acme, { muted: true })
  let changing: Promise<unknown> | undefined
  await world.db.transaction(async (tx) => {
    await tx.query(sql`select 1 from keyword_counter where keyword_id = ${keyword.uuid} for update`)
    changing = change(acme, keyword)
    await somebodyWaits()
    // What the usage of a batch refers to; held by the other side it would be a ring of waits.
    expect(
      await tx.query(sql`select 1 from workspace where id = ${acme.workspaceId} for key share nowait`),
    ).toHaveLength(1)
  })
  await changing
})

test('keywords that are removed while posts come in leave no mention without a keyword', async () => {
  const acme = await workspace()
  const keywords = await Promise.all([1, 2, 3, 4].map(() => makeKeyword(acme)))
  const batches = Array.from({ length: 12 }, () => posts(5).map((post) => matchedBy(post, keywords)))
  await Promise.all([
    ...batches.map(async (batch) => score(world, await store(world, batch))),
    ...keywords.slice(1).map((keyword) => deleteKeyword(acme, keyword.uuid)),
  ])
  const orphans = await world.db.query(sql`
    select m.id from mention m left join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
      where m.workspace_id = ${acme.workspaceId} and k.id is null
    union all select q.mention_id from score_queue q left join mention m on m.workspace_id = q.workspace_id
      and m.id = q.mention_id where q.workspace_id = ${acme.workspaceId} and m.id is null`)
  expect(orphans).toEqual([])
  expect(await mentionsOf(keywords[0]!)).toBe(60)
})

test('links and texts with quotes, backslashes, braces and characters of every kind are stored as they came', async () => {
  const acme = await workspace()
  const keyword = await makeKeyword(acme)
  const links = [
    'https://a.example/"x"',
    'https://b.example/\\y',
    'https://c.example/{z},NULL',
    'https://d.example/\u4e2d\u{1f680}',
  ]
  const post = makePost(world, { text: 'A "b" \\c {d}, \u4e2d \u{1f680}', links })
  await store(world, [matchedBy(post, [keyword])])
  const rows = await world.db.query(
    sql`select body, links from post where id = ${postId(post.platform, post.nativeId)}`,
  )
  expect(rows).toEqual([{ body: post.text, links }])
})

test('batches with the same keywords do not wait for each other before they count', async () => {
  const acme = await workspace()
  const keyword = await makeKeyword(acme)
  const options = { at: world.clock.now(), metered: true, leasedUntil: world.clock.now() }
  const mentions = await world.db.transaction(async (tx) => {
    let storing = true
    const paused = {
      ...tx,
      // The first batch stands still when its mentions are made and its counters not yet locked.
      async run<Row>(name: string, text: string, values: readonly unknown[]) {
        if (name === 'ingest-counts' && storing) {
          storing = false
          expect(await store(world, [matchedBy(makePost(world), [keyword])])).toHaveLength(1)
        }
        return await tx.run<Row>(name, text, values)
      },
    }
    return await ingestPosts(paused, [matchedBy(makePost(world), [keyword])], options)
  })
  expect(mentions).toHaveLength(1)
  expect(await counterOf(keyword)).toMatchObject({ mentions: 2, month_mentions: 2 })
})

test('a post that another batch brings in the same moment is stored once, with one mention for each keyword', async () => {
  const acme = await workspace()
  const [first, second] = [await makeKeyword(acme), await makeKeyword(acme)]
  const post = makePost(world)
  const options = { at: world.clock.now(), metered: true, leasedUntil: world.clock.now() }
  const mentions = await world.db.transaction(async (tx) => {
    let looked = false
    const overtaken = {
      ...tx,
      // This batch has looked for the post and found nothing when the other one brings it, for one of the same
      // keywords.
      async run<Row>(name: string, text: string, values: readonly unknown[]) {
        const rows = await tx.run<Row>(name, text, values)
        if (name === 'ingest-existing' && !looked) {
          looked = true
          expect(await store(world, [matchedBy(post, [first])])).toHaveLength(1)
        }
        return rows
      },
    }
    return await ingestPosts(
      overtaken,
      [matchedBy(post, [first, second]), matchedBy(makePost(world), [first])],
      options,
    )
  })
  expect(mentions.map(({ keywordId }) => keywordId).sort()).toEqual([first.uuid, second.uuid].sort())
  expect([await mentionsOf(first), await mentionsOf(second)]).toEqual([2, 1])
  expect([(await counterOf(first))['mentions'], (await counterOf(second))['mentions']]).toEqual([2, 1])
})

describe('an edited post', () => {
  const facetsOf = async ({ uuid }: TestKeyword) =>
    (
      await world.db.query<{ facets: string[] }>(
        sql`select facets::text[] as facets from mention where keyword_id = ${uuid}`,
      )
    )[0]!.facets
  const word = ({ workspaceId }: TestWorkspace, text: string) => facetHash(workspaceId, 'word', text)

  test('is stored anew and found by its newer text, with its scores and counts as they were', async () => {
    const acme = await workspace()
    const [keyword, muted] = [await makeKeyword(acme), await makeKeyword(acme)]
    const post = makePost(world, { text: 'First words', links: ['https://old.example/'] })
    await score(world, await store(world, [matchedBy(post, [keyword, muted])]))
    await changeKeyword(world, muted.uuid, { muted: true })
    const edited = { ...post, text: 'Later words', links: ['https://new.example/'] }
    expect(await store(world, [matchedBy(edited, [keyword, muted])])).toEqual([])

    const stored = await world.db.query(
      sql`select body, links from post where id = ${postId(post.platform, post.nativeId)}`,
    )
    expect(stored).toEqual([{ body: 'Later words', links: ['https://new.example/'] }])
    for (const each of [keyword, muted]) {
      const facets = await facetsOf(each)
      expect(facets).toEqual(
        expect.arrayContaining([
          word(acme, 'later'),
          word(acme, 'words'),
          facetHash(acme.workspaceId, 'host', 'new.example'),
        ]),
      )
      expect(facets).not.toContain(word(acme, 'first'))
    }
    const { body } = await acme.api('GET', '/v1/mentions?q=later')
    expect(
      body.data.map(({ classification }: { classification: { relevance: number } }) => classification.relevance),
    ).toEqual([80, 80])
    expect(await counterOf(keyword)).toMatchObject({ mentions: 1, month_mentions: 1 })
    expect(await world.db.query(sql`select 1 from score_queue where workspace_id = ${acme.workspaceId}`)).toEqual([])
  })

  test('is found by the common words of its newer text only, alone and beside others', async () => {
    const acme = await workspace()
    const post = makePost(world, { text: 'The first words of it' })
    const keyword = await makeKeyword(acme)
    await store(world, [matchedBy(post, [keyword])])
    const found = async (q: string) =>
      (await acme.api('GET', `/v1/mentions?q=${encodeURIComponent(q)}`)).body.data.length
    expect([await found('the of'), await found('words of it'), await found('you'), await found('the launch')]).toEqual([
      1, 1, 0, 0,
    ])
    await store(world, [matchedBy({ ...post, text: 'You saw later words' }, [keyword])])
    expect([await found('the of'), await found('words of it'), await found('you'), await found('you later')]).toEqual([
      0, 0, 1, 1,
    ])
  })

  test('is found by the beginnings of its newer words, and not of the former ones', async () => {
    const acme = await workspace()
    const post = makePost(world, { text: 'Xylophones' })
    const keyword = await makeKeyword(acme)
    const found = async (q: string) =>
      (await acme.api('GET', `/v1/mentions?q=${encodeURIComponent(q)}`)).body.data.length
    await store(world, [matchedBy(post, [keyword])])
    expect([await found('xylo*'), await found('zith*')]).toEqual([1, 0])
    await store(world, [matchedBy({ ...post, text: 'Zithers, més' }, [keyword])])
    expect([await found('xylo*'), await found('zith*'), await found('mes'), await found('més')]).toEqual([0, 1, 1, 1])
  })

  test('has its mentions touched after every counter', async () => {
    const [first, second] = [await workspace(), await workspace()]
    const keywords = [await makeKeyword(first), await makeKeyword(second), await makeKeyword(first)]
    const post = makePost(world)
    for (const keyword of [keywords[1]!, keywords[0]!]) await store(world, [matchedBy(post, [keyword])])
    const names: string[] = []
    await world.db.transaction((tx) => {
      const run: typeof tx.run = (name, text, values) => {
        names.push(name)
        return tx.run(name, text, values)
      }
      return ingestPosts({ ...tx, run }, [matchedBy({ ...post, text: 'Later words' }, keywords)], {
        at: world.clock.now(),
        metered: true,
        leasedUntil: world.clock.now(),
      })
    })
    expect(names).toContain('ingest-counts')
    expect(names.filter((name) => !name.startsWith('ingest-release')).at(-1)).toBe('ingest-facets')
    for (const keyword of keywords.slice(0, 2))
      expect(await facetsOf(keyword)).toContain(facetHash(keyword.workspaceId, 'word', 'later'))
  })

  test('that comes again as it was changes no mention', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const post = makePost(world)
    await store(world, [matchedBy(post, [keyword])])
    await world.db.query(sql`update mention set facets = '{}' where keyword_id = ${keyword.uuid}`)
    await store(world, [matchedBy(post, [keyword])])
    expect(await facetsOf(keyword)).toEqual([])
  })

  test('that only a new keyword matches is stored for that one', async () => {
    const acme = await workspace()
    const [first, second] = [await makeKeyword(acme), await makeKeyword(acme)]
    const post = makePost(world, { text: 'First words' })
    await store(world, [matchedBy(post, [first])])
    expect(await store(world, [matchedBy({ ...post, text: 'Later words' }, [first, second])])).toHaveLength(1)
    for (const keyword of [first, second]) expect(await facetsOf(keyword)).toContain(word(acme, 'later'))
  })
})

describe('a post that its platform no longer has', () => {
  test('goes with its mentions, what waits to be sent is cancelled, and the charges stay', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const channel = accepted(await createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/' }))
    accepted(
      await createAlert(acme, {
        name: 'All',
        mode: 'instant',
        event: 'mention.matched',
        filter: {},
        channelIds: [stored('dest', channel.id)],
        enabled: true,
      }),
    )
    const [scoredPost, waitingPost, keptPost] = [makePost(world), makePost(world), makePost(world)]
    await score(world, await store(world, [matchedBy(scoredPost, [keyword]), matchedBy(keptPost, [keyword])]))
    await store(world, [matchedBy(waitingPost, [keyword])])
    const ids = [scoredPost, waitingPost].map((post) => postId(post.platform, post.nativeId))
    expect(await world.db.transaction((tx) => removePosts(tx, ids, world.clock.now()))).toBe(2)
    expect(await world.db.transaction((tx) => removePosts(tx, ids, world.clock.now()))).toBe(0)
    expect(await world.db.transaction((tx) => removePosts(tx, [], world.clock.now()))).toBe(0)

    expect(await mentionsOf(keyword)).toBe(1)
    const log = await world.db.query(
      sql`select status, error from delivery where workspace_id = ${acme.workspaceId} order by status`,
    )
    expect(log).toEqual([
      { status: 'cancelled', error: 'the post was removed' },
      { status: 'pending', error: null },
    ])
    const queues = await world.db.query(sql`
      select (select count(*) from delivery_queue where workspace_id = ${acme.workspaceId}) as deliveries,
        (select count(*) from score_queue where workspace_id = ${acme.workspaceId}) as scores`)
    expect(queues).toEqual([{ deliveries: 1, scores: 0 }])
    const usage = await world.db.query(
      sql`select matched, billable, mention_units from usage_day where workspace_id = ${acme.workspaceId}`,
    )
    expect(usage).toEqual([{ matched: 3, billable: 2, mention_units: 48 }])
  })

  test('goes while it is scored without a ring of waits', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const some = posts(40)
    const mentions = await store(
      world,
      some.map((post) => matchedBy(post, [keyword])),
    )
    await Promise.all([
      ...[0, 10, 20, 30].map((from) => score(world, mentions.slice(from, from + 10))),
      ...[0, 10, 20, 30].map((from) =>
        world.db.transaction((tx) =>
          removePosts(
            tx,
            some
              .slice(from, from + 10)
              .map((post) => postId(post.platform, post.nativeId))
              .sort(),
            world.clock.now(),
          ),
        ),
      ),
    ])
    expect(await mentionsOf(keyword)).toBe(0)
    expect(await world.db.query(sql`select 1 from score_queue where workspace_id = ${acme.workspaceId}`)).toEqual([])
  })

  test('is found by its author on its own platform only', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const author = { ...makePost(world).author!, id: 'did:plc:leaver' }
    const [left, elsewhere] = [makePost(world, { author }), makePost(world, { author, platform: 'x' })]
    await store(
      world,
      [left, elsewhere].map((post) => matchedBy(post, [keyword])),
    )
    const find = (ids: string[]): Promise<Uuid[]> => world.db.transaction((tx) => postsOfAuthors(tx, 'bluesky', ids))
    expect(await find(['did:plc:leaver', 'did:plc:nobody'])).toEqual([postId('bluesky', left.nativeId)])
    expect(await find([])).toEqual([])
  })
})

// Last, because the ids of a process only grow: what is made after a look into the future carries that time.
describe('the turn of the month', () => {
  const FEBRUARY = new Date('2027-02-01T00:00:00.000Z')

  test('begins the count anew and lets a capped keyword collect again, which is told', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace, { cap: { mentions: 2 } })
    await store(
      world,
      posts(2).map((post) => matchedBy(post, [keyword])),
    )
    expect(await store(world, [matchedBy(makePost(world), [keyword])], { at: FEBRUARY })).toHaveLength(1)
    expect(await counterOf(keyword)).toEqual({
      mentions: 3,
      month: '2027-02-01',
      month_mentions: 1,
      last_mention_at: world.clock.now(),
      paused_for_cap: false,
    })
    expect((await events(workspace)).map(({ event, data }) => [event, data['reason'] ?? data['thisMonth']])).toEqual([
      ['keyword.capped', 2],
      ['keyword.resumed', 'month_turned'],
    ])
  })

  test('and the limit of the new month may come in one batch', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace, { cap: { mentions: 2 } })
    await store(
      world,
      posts(2).map((post) => matchedBy(post, [keyword])),
    )
    expect(
      await store(
        world,
        posts(4).map((post) => matchedBy(post, [keyword])),
        { at: FEBRUARY },
      ),
    ).toHaveLength(2)
    expect(await counterOf(keyword)).toMatchObject({ month_mentions: 2, paused_for_cap: true })
    expect((await events(workspace)).map(({ event }) => event)).toEqual([
      'keyword.capped',
      'keyword.resumed',
      'keyword.capped',
    ])
  })

  test('is told once when the daily look and a batch find it together', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace, { cap: { mentions: 2 } })
    await store(
      world,
      posts(2).map((post) => matchedBy(post, [keyword])),
    )
    const services = { ...world.services, clock: { ...world.clock, now: () => FEBRUARY } }
    await behind(keyword, (tx) => startMonth({ ...services, db: within(tx) }), [makePost(world)], FEBRUARY)
    expect((await events(workspace)).map(({ event, data }) => [event, data['reason']])).toEqual([
      ['keyword.capped', undefined],
      ['keyword.resumed', 'month_turned'],
    ])
  })

  test('is not undone by a machine whose clock lags', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme, { cap: { mentions: 2 } })
    await store(world, [matchedBy(makePost(world), [keyword])], { at: FEBRUARY })
    expect(
      await store(
        world,
        posts(2).map((post) => matchedBy(post, [keyword])),
        { at: new Date(FEBRUARY.getTime() - 1) },
      ),
    ).toHaveLength(1)
    expect(await counterOf(keyword)).toMatchObject({ month: '2027-02-01', month_mentions: 2 })
    // Usage follows the counter, so that a month has in both what it has in one.
    expect(await world.db.query(sql`select day, matched from usage_day where keyword_id = ${keyword.uuid}`)).toEqual([
      { day: '2027-02-01', matched: 2 },
    ])
  })
})

/**
 * Stores posts for a keyword in a transaction that begins before `change` is committed and has to wait for it. Answers
 * the mentions that were made.
 */
async function behind(
  keyword: TestKeyword,
  change: (tx: Transaction) => Promise<unknown>,
  late: ReturnType<typeof posts>,
  at = world.clock.now(),
) {
  let storing: ReturnType<typeof store> | undefined
  await world.db.transaction(async (tx) => {
    await change(tx)
    storing = store(
      world,
      late.map((post) => matchedBy(post, [keyword])),
      { at },
    )
    await somebodyWaits()
  })
  return (await storing)!
}

/** Resolves when a statement of this database waits for a lock. */
async function somebodyWaits(): Promise<void> {
  for (let tried = 0; tried < 1000; tried += 1) {
    const waiting = await world.db.query(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (waiting.length > 0) return
  }
  throw new Error('nobody waits for a lock')
}

/** A database for a command whose transaction is to stay open. */
function within(tx: Transaction): World['db'] {
  return { ...world.db, ...tx, transaction: (work) => work(tx) }
}

test('a mention names its author as the workspace sees them and is found by them, also when the edited post names somebody else', async () => {
  const workspace = await world.workspace('Accounts')
  const keyword = await makeKeyword(workspace)
  const post = makePost(world)
  const account = accountIdOf(workspace.workspaceId, post.platform, post.author)!
  await store(world, [matchedBy(post, [keyword]), matchedBy(makePost(world, { author: null }), [keyword])])
  const rows = () =>
    world.db.query<{ account_id: string | null; facets: string[] }>(sql`
      select account_id, facets::text[] as facets from mention where workspace_id = ${workspace.workspaceId}
        order by account_id nulls last`)
  const facet = accountFacet(workspace.workspaceId, account)
  expect((await rows()).map(({ account_id, facets }) => [account_id, facets.includes(facet)])).toEqual([
    [account, true],
    [null, false],
  ])
  await store(world, [
    matchedBy({ ...post, text: 'Edited.', author: { ...post.author!, id: 'did:plc:other' } }, [keyword]),
  ])
  expect((await rows()).map(({ account_id, facets }) => [account_id, facets.includes(facet)])).toEqual([
    [account, true],
    [null, false],
  ])
})
