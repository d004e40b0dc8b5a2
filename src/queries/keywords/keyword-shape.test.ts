import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { runDay } from '../../commands/wallet/daily-run.ts'
import { grantCredit } from '../../commands/wallet/grant-credit.ts'
import { nextRun } from '../../commands/wallet/wallet-setting.suite.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { notePoll, registerSources } from '../../store/source/source-state.ts'

const world = useWorld()

test('polling lists every scheduled platform of a keyword, and polls only since they look for it', async () => {
  const acme = await world.workspace('Acme')
  const polled = (source: string) => world.db.transaction((tx) => notePoll(tx, source, 0, world.clock.now(), null))
  const sources = [
    { source: 'bluesky', scheduled: false },
    { source: 'hackernews', scheduled: true },
    { source: 'x', scheduled: true },
  ]
  await world.db.transaction((tx) => registerSources(tx, sources, world.clock.now()))
  await world.db.query(sql`insert into source_state (source, updated_at) values ('reddit', ${world.clock.now()})`)
  for (const source of ['hackernews', 'reddit', 'bluesky']) await polled(source)
  await world.clock.advance(MINUTE_MS)
  const everywhere = await makeKeyword(acme)
  const narrow = await makeKeyword(acme, { platforms: ['x'] })
  const pollingOf = async ({ shown }: typeof everywhere) =>
    (await acme.api('GET', `/v1/keywords/${shown.id}`)).body.polling
  const never = (platform: string) => ({ platform, lastPolledAt: null, emptyPolls: 0 })

  expect(everywhere.shown.polling).toEqual([never('hackernews'), never('x')])
  expect(await pollingOf(narrow)).toEqual([never('x')])
  await world.clock.advance(MINUTE_MS)
  await polled('hackernews')
  const lastPolledAt = world.clock.now().toISOString()
  expect(await pollingOf(everywhere)).toEqual([{ platform: 'hackernews', lastPolledAt, emptyPolls: 2 }, never('x')])
  await acme.api('PATCH', `/v1/keywords/${everywhere.shown.id}`, { muted: true })
  expect(await pollingOf(everywhere)).toEqual([never('hackernews'), never('x')])
})

test('every field says what was made of the keyword and what happened to it', async () => {
  const rich = await world.workspace('Rich')
  await grantCredit(rich, 10_000)
  const group = (await rich.api('POST', '/v1/groups', { name: 'Rockets', externalId: 'r-1' })).body
  const createdAt = world.clock.now()
  const { body: made } = await rich.api('POST', '/v1/keywords', {
    term: '  Acme   Rocket ',
    kind: 'competitor',
    groupId: group.id,
    platforms: ['bluesky', 'hackernews'],
    context: 'Rockets, not salads.',
    matching: {
      requiredTerms: ['launch'],
      requiredMode: 'all',
      excludedTerms: ['salad*'],
      excludedAuthors: ['@spammer'],
      caseSensitive: true,
    },
    cap: { mentions: 100 },
    reviewSources: [{ platform: 'appstore', id: '123456789', countries: ['de'] }],
  })
  const keyword = { uuid: stored('kw', made.id), workspaceId: rich.workspaceId, shown: made }
  nextRun(world)
  await runDay(world.services)
  const polledAt = world.clock.now()
  await world.db.transaction(async (tx) => {
    const sources = ['bluesky', 'hackernews', 'appstore'].map((source) => ({ source, scheduled: source !== 'bluesky' }))
    await registerSources(tx, sources, polledAt)
    await notePoll(tx, 'hackernews', 1, polledAt, null)
  })
  const published = plus(world.clock.now(), -6 * DAY_MS)
  const mentions = await store(world, [
    ...[1, 2, 3, 4].map(() => matchedBy(makePost(world, { publishedAt: published }), [keyword])),
    matchedBy(makePost(world, { publishedAt: plus(published, -2 * DAY_MS) }), [keyword]),
  ])
  await score(world, mentions.slice(0, 2))
  await score(world, mentions.slice(2, 3), { relevance: 10 })
  await score(world, mentions.slice(3, 4), null)
  const mark = (at: number, relevant: boolean) =>
    rich.api('PATCH', `/v1/mentions/${toId('mtn', mentions[at]!.mentionId)}`, { relevant })
  expect([(await mark(0, false)).status, (await mark(2, true)).status, (await mark(1, true)).status]).toEqual([
    200, 200, 200,
  ])
  expect((await rich.api('GET', `/v1/keywords/${made.id}`)).body).toEqual({
    id: made.id,
    term: 'Acme Rocket',
    kind: 'competitor',
    muted: false,
    pausedForBalance: false,
    pausedForNoise: false,
    pausedForCap: false,
    cap: { mentions: 100, welcome: false, own: 100 },
    group: { id: group.id, name: 'Rockets', externalId: 'r-1', isDefault: false },
    platforms: ['bluesky', 'hackernews'],
    reviewSources: [
      {
        platform: 'appstore',
        id: '123456789',
        url: 'https://apps.apple.com/de/app/id123456789',
        countries: ['de'],
        language: null,
        connectedAt: createdAt.toISOString(),
      },
    ],
    context: 'Rockets, not salads.',
    matching: {
      requiredTerms: ['launch'],
      requiredMode: 'all',
      excludedTerms: ['salad*'],
      excludedAuthors: ['@spammer'],
      caseSensitive: true,
    },
    stats: {
      mentions: 5,
      relevant: 2,
      last7d: 4,
      thisMonth: 5,
      lastMentionAt: published.toISOString(),
      feedback: { relevant: 2, notRelevant: 1 },
      noise: { scored: 3, relevant: 2, noisy: false },
      health: 'new',
      cost: { keywordDays: 1, keywordCents: 17, billableMentions: 3, mentionCents: 2, totalCents: 19 },
    },
    polling: [
      { platform: 'appstore', lastPolledAt: null, emptyPolls: 0 },
      { platform: 'hackernews', lastPolledAt: polledAt.toISOString(), emptyPolls: 0 },
    ],
    createdAt: createdAt.toISOString(),
  })
  // Put back, the marks leave no trace in the statistics.
  for (const at of [0, 1, 2])
    await rich.api('PATCH', `/v1/mentions/${toId('mtn', mentions[at]!.mentionId)}`, { relevant: null })
  const { stats } = (await rich.api('GET', `/v1/keywords/${made.id}`)).body
  expect([stats.relevant, stats.feedback, stats.noise]).toEqual([
    2,
    { relevant: 0, notRelevant: 0 },
    { scored: 3, relevant: 2, noisy: false },
  ])
})
