import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention } from '../../../test/mentions.ts'
import { changeKeyword, changeWallet, empty } from '../../../test/rows.ts'
import { lacking, ready, reviewing, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { until } from '../../../test/until.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import type { ReviewPage } from '../../domain/keyword/review-source.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { SourceFault } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'

const PLACE = 'ChIJN1t_tDeuEmsRUsoyG83frY4'
const PAGE: ReviewPage = { platform: 'googlemaps', id: PLACE, country: null, language: null }
const LINK = 'https://maps.app.goo.gl/AbCdEf'
/** A link of a platform that is not set up. */
const NUMBERED = 'https://www.trustpilot.com/reviews/5f0abcdef0123456789abcde'
const JANE = {
  id: '42',
  name: 'Jane Doe',
  handle: 'Jane',
  url: 'https://x.com/Jane',
  avatarUrl: null,
  followers: null,
  automated: null,
}

/** What links lead to at the moment. */
const links = new Map<string, () => Promise<ReviewPage | null>>()
const followed: string[] = []
/** Handles that Bluesky was asked for. */
const handles: string[] = []

const world = useWorld(() => {
  const maps = reviewing('googlemaps', (_, link) => {
    followed.push(link)
    return (links.get(link) ?? (async () => null))()
  })
  const bluesky = {
    ...createTape('bluesky').source,
    async resolveAuthor(_: unknown, handle: string) {
      handles.push(handle)
      return null
    },
  }
  return {
    sources: scriptedSources(ready(maps), ready(bluesky), lacking('trustpilot', 'reviews', 'TRUSTPILOT_API_KEY')),
  }
})
const acme = useWorkspace(world, 'Acme')
beforeEach(() => {
  links.clear()
  followed.length = 0
  handles.length = 0
})

/** Muted keywords need no balance. */
const create = (body: object) =>
  acme.api('POST', '/v1/keywords', { term: `term ${randomUUID()}`, muted: true, ...body })
const told = ({ status, body }: Awaited<ReturnType<typeof create>>) => [status, body.error?.code, body.error?.message]
const keysOf = async (id: string): Promise<string[]> =>
  (
    await world.db.query<{ keys: string[] }>(
      sql`select excluded_author_keys as keys from keyword where id = ${stored('kw', id)}`,
    )
  )[0]!.keys

describe('a review link that does not name its page', () => {
  const shown = {
    platform: 'googlemaps',
    id: PLACE,
    url: `https://www.google.com/maps/place/?q=place_id:${PLACE}`,
    countries: [],
    language: null,
  }

  test('is followed when a keyword is made and when it is changed', async () => {
    links.set(LINK, async () => PAGE)
    const { status, body } = await create({ reviewSources: [{ url: LINK }] })
    expect([status, body.reviewSources]).toEqual([201, [{ ...shown, connectedAt: world.clock.now().toISOString() }]])
    const before = world.clock.now().toISOString()
    await world.clock.advance(SECOND_MS)
    const changed = await acme.api('PATCH', `/v1/keywords/${body.id}`, {
      reviewSources: [{ url: LINK }, { platform: 'trustpilot', id: 'acme.com' }],
    })
    expect(changed.body.reviewSources).toMatchObject([
      { ...shown, connectedAt: before },
      { id: 'acme.com', connectedAt: world.clock.now().toISOString() },
    ])
    expect(followed).toEqual([LINK, LINK])
  })

  test('is not followed when it comes back as it is shown', async () => {
    links.set(LINK, async () => PAGE)
    const { body } = await create({ reviewSources: [{ url: LINK }] })
    followed.length = 0
    const { status } = await acme.api('PATCH', `/v1/keywords/${body.id}`, { reviewSources: body.reviewSources })
    expect([status, followed]).toEqual([200, []])
  })

  test('that leads to a page of the list is refused', async () => {
    links.set(LINK, async () => PAGE)
    const answer = await create({ reviewSources: [{ platform: 'googlemaps', id: PLACE }, { url: LINK }] })
    expect(told(answer)).toEqual([400, 'validation_error', 'reviewSources.1: is already in the list'])
  })

  test.each([
    ['leads nowhere', async () => null, 'leads to no review page of googlemaps'],
    ['is gone', () => Promise.reject(new SourceFault('gone', 'gone')), 'leads to no review page of googlemaps'],
    ['leads to what is no id', async () => ({ ...PAGE, id: '../../etc' }), 'leads to no review page of googlemaps'],
    [
      'cannot be followed',
      () => Promise.reject(new SourceFault('unavailable', 'connect ECONNREFUSED 10.1.2.3:443')),
      'googlemaps could not say where it leads; try again, or give the address of the page',
    ],
    [
      'meets a defect',
      () => Promise.reject(new TypeError('sk-123')),
      'googlemaps could not say where it leads; try again, or give the address of the page',
    ],
  ] as [string, () => Promise<ReviewPage | null>, string][])(
    'and %s is refused by naming the field',
    async (_, leads, reason) => {
      links.set(LINK, leads)
      const body = { reviewSources: [{ platform: 'trustpilot', id: 'acme.com' }, { url: LINK }] }
      expect(told(await create(body))).toEqual([400, 'validation_error', `reviewSources.1.url: ${reason}`])
      const { shown: keyword } = await makeKeyword(acme, { muted: true })
      expect(told(await acme.api('PATCH', `/v1/keywords/${keyword.id}`, body))).toEqual([
        400,
        'validation_error',
        `reviewSources.1.url: ${reason}`,
      ])
    },
  )

  test('of a platform that is not set up is refused by naming the field', async () => {
    expect(
      told(await create({ reviewSources: [{ url: 'https://www.trustpilot.com/reviews/5f0abcdef0123456789abcde' }] })),
    ).toEqual([
      400,
      'validation_error',
      'reviewSources.0.url: is a link that is followed only where trustpilot is set up, which it is not on this installation; open it and send the address of the page',
    ])
  })

  test('has ten seconds together with all others', async () => {
    links.set(LINK, () => new Promise(() => undefined))
    links.set(`${LINK}2`, () => new Promise(() => undefined))
    const waitsBefore = world.clock.waits
    const answer = create({ reviewSources: [{ url: LINK }, { url: `${LINK}2` }] })
    await until(() => followed.length === 2 && world.clock.waits === waitsBefore + 1)
    await world.clock.advance(10 * SECOND_MS)
    expect(told(await answer)).toEqual([
      400,
      'validation_error',
      'reviewSources.0.url: googlemaps took too long to say where it leads; try again, or give the address of the page',
    ])
  })

  test('is not followed for a keyword that does not exist, nor for rules that are refused', async () => {
    const foreign = await makeKeyword(await world.workspace('Bravo'), { muted: true })
    expect(
      (await acme.api('PATCH', `/v1/keywords/${foreign.shown.id}`, { reviewSources: [{ url: LINK }] })).status,
    ).toBe(404)
    expect((await create({ matching: { excludedTerms: ['*'] }, reviewSources: [{ url: LINK }] })).status).toBe(400)
    expect(followed).toEqual([])
  })

  test('is followed once, however often it stands in a request', async () => {
    links.set(LINK, async () => PAGE)
    const answer = await create({ reviewSources: [{ url: LINK }, { url: LINK }] })
    expect([told(answer), followed]).toEqual([
      [400, 'validation_error', 'reviewSources.1: is already in the list'],
      [LINK],
    ])
  })

  test('is followed beside one other at most, and none after one that is refused', async () => {
    const places = ['a', 'b', 'c', 'd', 'e'].map((name) => `${LINK}${name}`)
    const waiting: ((page: ReviewPage | null) => void)[] = []
    for (const link of places) links.set(link, () => new Promise((resolve) => waiting.push(resolve)))
    const answer = create({ reviewSources: places.map((url) => ({ url })) })
    await until(() => waiting.length === 2)
    waiting[0]?.({ ...PAGE, id: `${PLACE}a` })
    await until(() => waiting.length === 3)
    waiting[2]?.(null)
    waiting[1]?.({ ...PAGE, id: `${PLACE}b` })
    expect(told(await answer)).toEqual([
      400,
      'validation_error',
      'reviewSources.2.url: leads to no review page of googlemaps',
    ])
    expect(followed).toEqual(places.slice(0, 3))
  })

  test('alone is enough for a keyword that is searched for nowhere, when it is made and when it is changed', async () => {
    links.set(LINK, async () => PAGE)
    const { shown: keyword } = await makeKeyword(acme, { muted: true })
    const body = { platforms: [], reviewSources: [{ url: LINK }] }
    expect([(await create(body)).status, (await acme.api('PATCH', `/v1/keywords/${keyword.id}`, body)).status]).toEqual(
      [201, 200],
    )
  })

  test('was accepted once: the same request is answered again although the link leads nowhere any more', async () => {
    links.set(LINK, async () => PAGE)
    const body = { term: 'Once', requestId: randomUUID(), reviewSources: [{ url: LINK }] }
    const first = await create(body)
    links.clear()
    followed.length = 0
    const second = await create(body)
    expect([first.status, second.status, second.body, followed]).toEqual([201, 201, first.body, []])
  })
})

describe('no platform is asked for a request that is refused anyway', () => {
  const asking = { reviewSources: [{ url: LINK }], matching: { excludedAuthors: ['@acme.bsky.social'] } }
  const refused = async (answer: Promise<Awaited<ReturnType<typeof create>>>) => [
    (await answer).body.error?.code,
    followed,
    handles,
  ]

  test('when it is made', async () => {
    const workspace = await world.workspace('Full')
    const post = (body: object) => workspace.api('POST', '/v1/keywords', { muted: true, ...asking, ...body })
    await workspace.api('POST', '/v1/keywords', { term: 'Taken', muted: true })
    expect(await refused(post({ term: 'TAKEN' }))).toEqual(['duplicate_keyword', [], []])
    expect(await refused(post({ term: 'new', groupId: await acme.group('Foreign') }))).toEqual(['not_found', [], []])
    expect(
      await refused(post({ term: 'new', reviewSources: [{ url: LINK }, { url: 'https://example.com/' }] })),
    ).toEqual(['validation_error', [], []])
    expect(await refused(post({ term: 'new', reviewSources: [{ url: LINK, countries: ['de'] }] }))).toEqual([
      'validation_error',
      [],
      [],
    ])
    expect(await refused(post({ term: 'new', reviewSources: [{ url: LINK }, { url: NUMBERED }] }))).toEqual([
      'validation_error',
      [],
      [],
    ])
    expect(
      await refused(
        post({ term: 'new', matching: { excludedAuthors: ['@acme.bsky.social', 'https://x.com/i/status/1'] } }),
      ),
    ).toEqual(['validation_error', [], []])
    await changeWallet(world, workspace.workspaceId, { balanceUnits: 0 })
    expect(await refused(post({ term: 'new', muted: false }))).toEqual(['insufficient_balance', [], []])
    await world.db.query(sql`
      insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode,
        excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted, created_at, judged_since)
      select ${workspace.workspaceId}, gen_random_uuid(), g.id, 'k' || n, 'k' || n, 'topic', '{}', 'any', '{}', '{}', '{}',
        false, true, now(), now()
      from keyword_group g, generate_series(1, 499) n where g.workspace_id = ${workspace.workspaceId}`)
    expect(await refused(post({ term: 'new' }))).toEqual(['keyword_limit_reached', [], []])
  })

  test('when it is changed', async () => {
    const workspace = await world.workspace('Full too')
    const group = await workspace.group('Other')
    await workspace.api('POST', '/v1/keywords', { term: 'Taken', muted: true, groupId: group })
    const { body } = await workspace.api('POST', '/v1/keywords', { term: 'taken', muted: true })
    const patch = (change: object) => workspace.api('PATCH', `/v1/keywords/${body.id}`, { ...asking, ...change })
    expect(await refused(patch({ groupId: group }))).toEqual(['duplicate_keyword', [], []])
    expect(await refused(patch({ groupId: await acme.group('Foreign too') }))).toEqual(['not_found', [], []])
    expect(await refused(patch({ matching: { ...asking.matching, excludedTerms: ['*'] } }))).toEqual([
      'validation_error',
      [],
      [],
    ])
    expect(await refused(patch({ reviewSources: [{ url: LINK }, { platform: 'appstore', id: 'acme' }] }))).toEqual([
      'validation_error',
      [],
      [],
    ])
    expect(await refused(patch({ reviewSources: [{ url: LINK }, { url: NUMBERED }] }))).toEqual([
      'validation_error',
      [],
      [],
    ])
    expect(await refused(patch({ platforms: [], reviewSources: [] }))).toEqual(['validation_error', [], []])
    await changeWallet(world, workspace.workspaceId, { balanceUnits: 0 })
    expect(await refused(patch({ muted: false }))).toEqual(['insufficient_balance', [], []])
  })

  test('nor for handles when a link leads nowhere', async () => {
    expect((await create(asking)).status).toBe(400)
    expect([followed, handles]).toEqual([[LINK], []])
  })

  test('and none for a request that was answered before, whatever became of what it names', async () => {
    links.set(LINK, async () => PAGE)
    const keyword = await makeKeyword(acme)
    await mention(world, keyword, { platform: 'x', nativeId: '815', author: JANE })
    const body = {
      term: 'Once more',
      requestId: randomUUID(),
      ...asking,
      matching: { excludedAuthors: ['https://x.com/i/status/815', '@acme.bsky.social'] },
    }
    const first = await create(body)
    expect([first.status, followed, handles]).toEqual([201, [LINK], ['acme.bsky.social']])
    await empty(world, 'mention', 'author_identity')
    const second = await create(body)
    expect([second.status, second.body, followed, handles]).toEqual([201, first.body, [LINK], ['acme.bsky.social']])
    expect((await create({ ...body, kind: 'topic' })).body.error.code).toBe('request_conflict')
  })
})

describe('the link of a post that does not name its author', () => {
  const entry = 'https://x.com/i/status/4711'
  const author = JANE
  const entries = { matching: { excludedAuthors: [entry] } }
  const refusal =
    'matching.excludedAuthors.0: this link does not name its author; send the profile link, the @handle or the name'

  test('excludes the author by profile when the workspace has the post, and nobody of the same name', async () => {
    const keyword = await makeKeyword(acme, { muted: true })
    expect(told(await create(entries))).toEqual([400, 'validation_error', refusal])
    await changeKeyword(world, keyword.uuid, { muted: false })
    await mention(world, keyword, { platform: 'x', nativeId: '4711', url: 'https://x.com/Jane/status/4711', author })
    const { status, body } = await create(entries)
    expect([status, body.matching.excludedAuthors]).toEqual([201, [entry]])
    expect(await keysOf(body.id)).toEqual(['https://x.com/jane', 'https://x.com/i/user/42'])
  })

  test('tells nothing of posts that other workspaces have', async () => {
    const bravo = await world.workspace('Bravo')
    expect(told(await bravo.api('POST', '/v1/keywords', { term: 'Acme', ...entries }))).toEqual([
      400,
      'validation_error',
      refusal,
    ])
  })

  test('stays good for a keyword that has it, whatever becomes of the post', async () => {
    const { body } = await create(entries)
    await empty(world, 'mention')
    const { status } = await acme.api('PATCH', `/v1/keywords/${body.id}`, { matching: { caseSensitive: true } })
    expect(status).toBe(200)
    expect(await keysOf(body.id)).toEqual(['https://x.com/jane', 'https://x.com/i/user/42'])
    const again = await acme.api('PATCH', `/v1/keywords/${body.id}`, { matching: body.matching })
    expect([again.status, again.body.matching]).toEqual([200, { ...body.matching, caseSensitive: false }])
    expect(await keysOf(body.id)).toEqual(['https://x.com/jane', 'https://x.com/i/user/42'])
    expect(told(await create(entries))).toEqual([400, 'validation_error', refusal])
  })

  describe('of which there are several, whose posts are gone,', () => {
    const link = (number: number) => `https://x.com/i/status/${number}`
    const patch = (id: string, ...excludedAuthors: string[]) =>
      acme.api('PATCH', `/v1/keywords/${id}`, { matching: { excludedAuthors } })

    /** A keyword that excludes these, of which the posts are gone afterwards. */
    async function lost(...excludedAuthors: string[]): Promise<string> {
      const keyword = await makeKeyword(acme)
      for (const number of [1, 2])
        await mention(world, keyword, {
          platform: 'x',
          nativeId: `${number}`,
          author: { ...JANE, id: `4${number}`, handle: `jane${number}`, url: null },
        })
      await mention(world, keyword, {
        platform: 'hackernews',
        nativeId: '3',
        author: { ...JANE, id: 'bob', handle: 'bob', url: null },
      })
      const { status, body } = await create({ matching: { excludedAuthors } })
      expect(status).toBe(201)
      await empty(world, 'mention')
      return body.id
    }
    const HN = 'https://news.ycombinator.com/item?id=3'
    const [FIRST, SECOND] = [1, 2].map((number) => [`https://x.com/jane${number}`, `https://x.com/i/user/4${number}`])
    const BOB = 'https://news.ycombinator.com/user?id=bob'

    test('keeps its author when others are added and those of other platforms go', async () => {
      const id = await lost(link(1), HN, '@somebody')
      expect((await patch(id, '@else', link(1))).status).toBe(200)
      expect(await keysOf(id)).toEqual(['else', ...FIRST!])
    })

    test('keeps its author, and no other person who was excluded and goes', async () => {
      const id = await lost(link(1), 'https://x.com/i/user/7', 'https://x.com/else')
      expect((await patch(id, link(1))).status).toBe(200)
      expect(await keysOf(id)).toEqual(FIRST)
    })

    test('keeps its author beside the profile of the same person', async () => {
      const id = await lost(link(1), 'https://x.com/jane1', HN)
      expect((await patch(id, link(1), 'https://x.com/jane1', HN)).status).toBe(200)
      expect(await keysOf(id)).toEqual([...FIRST!, BOB])
    })

    test('keeps its author while all of its platform stay, and is refused when another goes that may be meant by the same keys', async () => {
      const id = await lost(link(1), link(2))
      expect((await patch(id, link(2), link(1), 'jane')).status).toBe(200)
      expect((await keysOf(id)).sort()).toEqual([...FIRST!, ...SECOND!, 'jane'].sort())
      expect(told(await patch(id, link(1)))).toEqual([400, 'validation_error', refusal])
    })
  })
})
