import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { liftWelcomeLimits, makeAuthor } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted, stored } from '../../../test/world.ts'
import { createAlert } from '../../commands/alerts/create-alert.ts'
import { createView } from '../../commands/views/create-view.ts'
import type { Filterable } from '../../domain/filter/field.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { linkHostsOf } from '../../domain/filter/link-hosts.ts'
import { predicateOf } from '../../domain/filter/predicate.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { newUuid, timeOfUuid, type Uuid } from '../../kernel/ids.ts'
import { searchTerms } from '../../matching/index.ts'
import { sql } from '../../store/database.ts'
import { countMentions } from './count-mentions.ts'
import { EVERY_MENTION, type MentionSearch, resolveSearch } from './search.ts'
import { selectFound } from './select-newest.ts'

const SEED = Number(process.env['FILTER_SEED'] ?? Math.trunc(Math.random() * 2 ** 31))
const MENTIONS = 120
const PLATFORMS = ['bluesky', 'x'] as const
const NAMES = ['ann', 'bob', 'cleo', 'dan', 'eve', 'fay'] as const
/** Who stands behind which accounts, by name and platform; of fay nothing is kept yet. */
const PEOPLE = [
  { accounts: ['ann bluesky', 'ann x', 'bob x'], tags: ['vip'], muted: false },
  { accounts: ['bob bluesky'], tags: [], muted: true },
  { accounts: ['cleo bluesky', 'cleo x'], tags: ['press', 'vip'], muted: true },
  { accounts: ['dan bluesky'], tags: ['press'], muted: false },
  { accounts: ['dan x'], tags: [], muted: false },
  { accounts: ['eve bluesky', 'eve x'], tags: [], muted: false },
]

/** What a model needs to know of a stored mention. */
interface Known {
  id: Uuid
  facts: Filterable
  account: string | null
  person: number | null
  muted: boolean
  assignee: Uuid | null
  snoozedUntil: Date | null
  publishedAt: Date
}

let keywords: TestKeyword[]
let members: Uuid[]
let known: Known[]
let alerts: { id: Uuid; filter: MentionFilter }[]
let views: { id: Uuid; filter: MentionFilter }[]

let picked = 0
function pick<Value>(from: readonly Value[]): Value {
  picked += 1
  return fc.sample(fc.constantFrom(...from), { numRuns: 1, seed: (SEED + picked) | 0 })[0]!
}

const accountNamed = (name: string) => {
  const [handle, platform] = name.split(' ') as [string, (typeof PLATFORMS)[number]]
  return accountIdOf(acme.workspaceId, platform, { id: handle, handle, url: null, name: handle })!
}

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  keywords = [
    await makeKeyword(acme),
    await makeKeyword(acme, { kind: 'competitor' }),
    await makeKeyword(acme, { kind: 'topic' }),
  ]
  members = [
    (await createPerson(acme, acme.workspaceId, 'member')).userId,
    (await createPerson(acme, acme.workspaceId, 'admin')).userId,
  ]
  for (const { accounts, tags, muted } of PEOPLE) {
    const ids = accounts.map(accountNamed)
    await makeAuthor(world, acme.workspaceId, ids[0]!, {
      tags,
      muted,
      accounts: ids.map((id) => ({ id, platform: 'bluesky' })),
    })
  }
  // Else the noise brake would stop a keyword by chance.
  await liftWelcomeLimits(world)
  known = []
  for (let at = 0; at < MENTIONS; at += 1) known.push(await makeKnown())
  const filters: MentionFilter[] = [
    {},
    { minRelevance: 0, platforms: ['x'] },
    { notTags: ['press'], anyOf: [{ sentiments: ['negative'] }, { tags: ['vip'] }] },
  ]
  alerts = []
  for (const [at, filter] of filters.entries()) {
    const made = accepted(
      await createAlert(acme, {
        name: `Rule ${at}`,
        mode: 'instant',
        event: 'mention.matched',
        filter,
        channelIds: [],
        enabled: at > 0,
      }),
    )
    alerts.push({ id: stored('feed', made.id), filter })
  }
  const wide: MentionFilter[] = [
    { q: 'rocket' },
    { status: 'open', notKeywordIds: [keywords[0]!.uuid] },
    { relevant: false, anyOf: [{ q: 'launch' }, { tags: ['press'] }] },
  ]
  views = []
  for (const [at, filter] of wide.entries()) {
    const made = accepted(await createView(acme, { name: `View ${at}`, filter }))
    views.push({ id: stored('vw', made.id), filter })
  }
})

async function makeKnown(): Promise<Known> {
  const now = world.clock.now()
  const keyword = pick(keywords)
  const platform = pick(PLATFORMS)
  const name = pick([...NAMES, null])
  const post = makePost(world, {
    platform,
    text: pick([
      'A rocket.',
      'The launch of a rocket.',
      'Nothing.',
      'Músicas for rocketeers, que não',
      'That musician',
    ]),
    publishedAt: plus(now, -pick([0, 1, 2, 3]) * HOUR_MS),
    author:
      name === null
        ? null
        : {
            id: name,
            name,
            handle: name,
            url: null,
            avatarUrl: null,
            followers: pick([null, 5, 500]),
            automated: null,
          },
  })
  const matched = matchedBy(post, [keyword])
  const made = (await store(world, [matched]))[0]!
  const verdict = pick([
    null,
    { relevance: 90, sentiment: 'negative' as const },
    { relevance: 39, sentiment: 'positive' as const },
    { relevance: 40, sentiment: 'neutral' as const },
  ])
  if (verdict !== null) await score(world, [made], verdict)
  const [status, assignee, snoozedUntil] = [
    pick(MENTION_STATUSES),
    pick([null, ...members]),
    pick([null, null, plus(now, -1), now, plus(now, HOUR_MS)]),
  ]
  await world.db.query(sql`
    update mention set status = ${MENTION_STATUSES.indexOf(status)}, assignee_id = ${assignee},
      snoozed_until = ${snoozedUntil}
    where workspace_id = ${acme.workspaceId} and id = ${made.mentionId}`)
  const account = name === null ? null : `${name} ${platform}`
  const person = account === null ? -1 : PEOPLE.findIndex(({ accounts }) => accounts.includes(account))
  const facts: Filterable = {
    keywordId: keyword.uuid,
    keywordKind: made.keywordKind,
    groupId: made.group.id,
    platform,
    status,
    delivered: false,
    failed: false,
    unassigned: assignee === null,
    relevance: verdict?.relevance ?? null,
    confidence: verdict ? 0.9 : null,
    sentiment: verdict?.sentiment ?? null,
    intents: verdict ? ['question'] : null,
    automated: verdict ? false : null,
    language: verdict ? 'en' : null,
    followers: post.author?.followers ?? null,
    isReply: false,
    rating: null,
    likes: null,
    reposts: null,
    replies: null,
    quotes: null,
    views: null,
    bookmarks: null,
    linkHosts: linkHostsOf(post.links),
    authorKeys: matched.authorKeys,
    tags: PEOPLE[person]?.tags ?? [],
    words: matched.words,
  }
  const { publishedAt } = post
  return {
    id: made.mentionId,
    facts,
    account,
    person: person === -1 ? null : person,
    muted: PEOPLE[person]?.muted ?? false,
    assignee,
    snoozedUntil,
    publishedAt,
  }
}

/** What a search should find, by the words of the specification. */
function modelFinds(search: MentionSearch, at: Date): Uuid[] {
  const rule = alerts.find(({ id }) => id === search.alertId)
  const view = views.find(({ id }) => id === search.viewId)
  const filters = [
    ...search.filters,
    ...(rule ? [{ minRelevance: 40, ...rule.filter }] : []),
    ...(view ? [view.filter] : []),
  ].map((filter) => predicateOf(filter, (text) => searchTerms(text, 3)))
  const named =
    search.personId === null
      ? null
      : [...NAMES.flatMap((name) => PLATFORMS.map((platform) => `${name} ${platform}`))].find(
          (name) => accountNamed(name) === search.personId,
        )
  const person = PEOPLE.find(({ accounts }) => named && accounts.includes(named))
  const found = known.filter((known) => {
    const snoozed = known.snoozedUntil !== null && known.snoozedUntil > at
    return (
      filters.every((holds) => holds(known.facts)) &&
      (search.personId === null || (known.account !== null && (person?.accounts ?? [named]).includes(known.account))) &&
      (!known.muted || search.includeMuted || search.personId !== null) &&
      (search.assigneeId === null || known.assignee === search.assigneeId) &&
      snoozed === search.snoozed &&
      (search.since === null || known.publishedAt >= search.since) &&
      (search.until === null || known.publishedAt < search.until) &&
      (search.createdSince === null || timeOfUuid(known.id) >= search.createdSince) &&
      (search.createdUntil === null || timeOfUuid(known.id) < search.createdUntil) &&
      (search.ids === null || search.ids.includes(known.id))
    )
  })
  return found.map(({ id }) => id).sort()
}

function searches(): fc.Arbitrary<MentionSearch> {
  const now = world.clock.now()
  const filter = fc.constantFrom<MentionFilter>(
    { platforms: ['x'] },
    { q: 'rocket launch' },
    { q: 'nothing' },
    { q: 'rock*' },
    { q: 'musica*' },
    { q: 'músicas não' },
    { q: 'the* laun*' },
    { anyOf: [{ q: 'music*' }, { q: 'lau*', relevant: true }] },
    { tags: ['vip', 'press'] },
    { notTags: ['vip'] },
    { relevant: true },
    { minFollowers: 5 },
    { keywordKinds: ['topic', 'brand'] },
    { excludeAuthors: ['ann'] },
    { status: 'done' },
    { unassigned: true },
    { maxRelevance: 40 },
    { anyOf: [{ tags: ['nobody'] }, { notSentiments: ['negative'] }, { q: 'launch' }] },
  )
  const seldom = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: null, freq: 2 })
  const persons = NAMES.flatMap((name) => PLATFORMS.map((platform) => accountNamed(`${name} ${platform}`)))
  return fc.record({
    filters: fc.array(filter, { maxLength: 2 }),
    alertId: seldom(alerts.map(({ id }) => id)),
    viewId: seldom(views.map(({ id }) => id)),
    personId: seldom(persons),
    includeMuted: fc.boolean(),
    assigneeId: seldom(members),
    snoozed: fc.nat(4).map((value) => value === 0),
    since: seldom([plus(now, -2 * HOUR_MS), plus(now, -HOUR_MS)]),
    until: seldom([now, plus(now, -HOUR_MS)]),
    createdSince: seldom([known[3]!, known[10]!].map(({ id }) => timeOfUuid(id))),
    createdUntil: seldom([known[20]!, known.at(-1)!].map(({ id }) => timeOfUuid(id))),
    ids: seldom([known.slice(5, 15).map(({ id }) => id), [known[0]!.id, newUuid(now)]]),
  })
}

test('whatever is asked together, a search finds what meets every condition and nothing else', async () => {
  const sizes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(searches(), async (search) => {
      const at = world.clock.now()
      const wanted = modelFinds(search, at)
      const resolved = accepted(await resolveSearch(acme, search))
      const rows = await world.db.query<{ id: Uuid }>(selectOnly(resolved, at))
      expect(rows.map(({ id }) => id).sort(), `FILTER_SEED=${SEED}`).toEqual(wanted)
      expect(accepted(await countMentions(acme, search)).total).toBe(wanted.length)
      sizes.add(wanted.length)
    }),
    { numRuns: 400, seed: SEED },
  )
  expect(sizes.size).toBeGreaterThan(10)
})

const selectOnly = (resolved: Parameters<typeof selectFound>[2], at: Date) =>
  selectFound(sql`m.id`, acme.workspaceId, resolved, at) as ReturnType<typeof sql<{ id: Uuid }>>

test('an unknown rule or view is not found, and neither is one of another workspace', async () => {
  const other = await world.workspace('Other')
  for (const search of [{ alertId: newUuid(world.clock.now()) }, { viewId: newUuid(world.clock.now()) }]) {
    const refusal = await resolveSearch(acme, { ...EVERY_MENTION, ...search })
    expect(isRefusal(refusal) && refusal.code).toBe('not_found')
  }
  for (const search of [{ alertId: alerts[0]!.id }, { viewId: views[0]!.id }]) {
    const refusal = await resolveSearch(other, { ...EVERY_MENTION, ...search })
    expect(isRefusal(refusal) && refusal.code).toBe('not_found')
  }
})

test('people are the same ones for a search whether they are few or very many', async () => {
  const before = await Promise.all(
    [{ filters: [{ tags: ['vip'] }] }, { filters: [{ notTags: ['vip'] }] }, {}].map(found),
  )
  await world.db.transaction(async (tx) => {
    const at = world.clock.now()
    for (let count = 0; count < 1100; count += 1) {
      await makeAuthor({ db: tx }, acme.workspaceId, newUuid(at), { tags: ['vip'], muted: true })
    }
  })
  expect(
    await Promise.all([{ filters: [{ tags: ['vip'] }] }, { filters: [{ notTags: ['vip'] }] }, {}].map(found)),
  ).toEqual(before)
  expect(before.every((ids) => ids.length > 0)).toBe(true)
})

async function found(search: Partial<MentionSearch>): Promise<Uuid[]> {
  const resolved = accepted(await resolveSearch(acme, { ...EVERY_MENTION, ...search }))
  return (await world.db.query<{ id: Uuid }>(selectOnly(resolved, world.clock.now()))).map(({ id }) => id).sort()
}
