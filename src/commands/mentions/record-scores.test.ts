import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import {
  makeKeyword,
  makePost,
  matchedBy,
  mention,
  recount,
  score,
  store,
  type TestKeyword,
  VERDICT,
} from '../../../test/mentions.ts'
import { changeMention, empty } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, stored, type TestWorkspace } from '../../../test/world.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { INTENTS, intentsFromBits } from '../../domain/mention/classification.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { filterableOf, type Score } from '../../store/model/score.ts'
import { claimUnscored, readUnscored } from '../../store/model/unscored.ts'
import { createAlert } from '../alerts/create-alert.ts'
import { deleteAlert } from '../alerts/delete-alert.ts'
import { type AlertChange, updateAlert } from '../alerts/update-alert.ts'
import { createChannel } from '../channels/create-channel.ts'
import { deleteChannel } from '../channels/delete-channel.ts'
import { updateChannel } from '../channels/update-channel.ts'
import { deleteKeyword } from '../keywords/delete-keyword.ts'
import { recordScores } from './record-scores.ts'

let made = 0
const world = useWorld()

async function workspace(): Promise<TestWorkspace> {
  made += 1
  return world.workspace(`Workspace ${made}`)
}

async function channel(workspace: TestWorkspace): Promise<Uuid> {
  return stored(
    'dest',
    accepted(await createChannel(workspace, { kind: 'webhook', url: 'https://receiver.example/' })).id,
  )
}

interface RuleChange {
  filter?: MentionFilter
  channelIds: readonly Uuid[]
  enabled?: boolean
  event?: string
}

async function rule(
  workspace: TestWorkspace,
  { filter = {}, channelIds, enabled = true, event = 'mention.matched' }: RuleChange,
): Promise<Uuid> {
  return stored(
    'feed',
    accepted(await createAlert(workspace, { name: 'Rule', mode: 'instant', event, filter, channelIds, enabled })).id,
  )
}

function deliveries({ workspaceId }: TestWorkspace) {
  return world.db.query<Record<string, unknown>>(sql`
    select d.alert_id, d.channel_id, d.mention_id, d.event, d.kind, d.status, d.attempts, d.attempt_limit, q.due_at,
      q.leased_until
    from delivery d left join delivery_queue q on q.workspace_id = d.workspace_id and q.delivery_id = d.id
      where d.workspace_id = ${workspaceId} order by d.id`)
}

async function usage({ workspaceId }: TestWorkspace) {
  return world.db.query(
    sql`select matched, scored, relevant, billable, failed, mention_units from usage_day
        where workspace_id = ${workspaceId}`,
  )
}

async function queued({ workspaceId }: TestWorkspace): Promise<number> {
  const [row] = await world.db.query<{ count: number }>(
    sql`select count(*) from score_queue where workspace_id = ${workspaceId}`,
  )
  return row!.count
}

describe('a score', () => {
  test('is stored with the mention, which leaves the queue', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const waiting = await mention(world, keyword)
    await score(world, [waiting], {
      ...VERDICT,
      intents: ['bug_report', 'testimonial'],
      sentiment: 'negative',
      automated: true,
      language: null,
    })
    const [row] = await world.db.query<Record<string, unknown>>(sql`
      select scored_at, failed, relevance, sentiment, intents, automated, language, confidence, note from mention
        where id = ${waiting.mentionId}`)
    expect(row).toEqual({
      scored_at: world.clock.now(),
      failed: false,
      relevance: 80,
      sentiment: 2,
      intents: 1 | (1 << 14),
      automated: true,
      language: null,
      confidence: 0.9,
      note: VERDICT.note,
    })
    expect(intentsFromBits(row!['intents'] as number)).toEqual(['bug_report', 'testimonial'])
    expect(await queued(acme)).toBe(0)
  })

  test('is charged once, however often and by however many it is written down', async () => {
    const acme = await workspace()
    await rule(acme, { channelIds: [await channel(acme)] })
    const keyword = await makeKeyword(acme)
    const mentions = await store(
      world,
      Array.from({ length: 30 }, () => matchedBy(makePost(world), [keyword])),
    )
    const unscored = await readUnscored(world.db, mentions)
    const scores = unscored.map((mention) => ({ mention: mention, verdict: VERDICT, authorKeys: [] }))
    const record = () =>
      world.db.transaction((tx) =>
        recordScores(tx, [...scores, ...scores.slice(0, 7)], { at: world.clock.now(), metered: true }),
      )
    const results = await Promise.all([record(), record(), record(), record()])
    expect(results.map(({ written }) => written.length).sort()).toEqual([0, 0, 0, 30])
    expect(results.map((told) => told.deliveries.length).sort()).toEqual([0, 0, 0, 30])
    expect(await record()).toEqual({ written: [], deliveries: [], left: [] })
    expect(await usage(acme)).toEqual([
      { matched: 30, scored: 30, relevant: 30, billable: 30, failed: 0, mention_units: 720 },
    ])
    expect(await deliveries(acme)).toHaveLength(30)
    const { counters } = await recount(world, acme.workspaceId)
    expect(counters.kept).toEqual({ [keyword.uuid]: [30, 30, 0, 0] })
  })

  test('that failed is kept, never charged and never sent', async () => {
    const acme = await workspace()
    await rule(acme, { channelIds: [await channel(acme)], filter: { minRelevance: 0 } })
    const failed = await mention(world, await makeKeyword(acme))
    expect(await score(world, [failed], null)).toEqual([])
    expect(await usage(acme)).toEqual([
      { matched: 1, scored: 0, relevant: 0, billable: 0, failed: 1, mention_units: 0 },
    ])
    expect(await deliveries(acme)).toEqual([])
    expect(await readUnscored(world.db, [failed])).toEqual([])
    expect(await queued(acme)).toBe(0)
  })

  test('is counted but not charged on an unmetered installation', async () => {
    const acme = await workspace()
    await score(world, [await mention(world, await makeKeyword(acme))], {}, { metered: false })
    expect(await usage(acme)).toEqual([
      { matched: 1, scored: 1, relevant: 1, billable: 1, failed: 0, mention_units: 0 },
    ])
  })

  test('counts as relevant from 40 on, and is charged either way', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    for (const relevance of [0, 39, 40, 100]) await score(world, [await mention(world, keyword)], { relevance })
    expect(await usage(acme)).toEqual([
      { matched: 4, scored: 4, relevant: 2, billable: 4, failed: 0, mention_units: 96 },
    ])
  })

  test('for a mention that is gone meanwhile comes to nothing', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    const waiting = await mention(world, keyword)
    const [unscored] = await readUnscored(world.db, [waiting])
    accepted((await deleteKeyword(acme, keyword.uuid)) ?? null)
    const scores = [{ mention: unscored!, verdict: VERDICT, authorKeys: [] }]
    expect(
      await world.db.transaction((tx) => recordScores(tx, scores, { at: world.clock.now(), metered: true })),
    ).toEqual({
      written: [],
      deliveries: [],
      left: [],
    })
    expect(await usage(acme)).toEqual([
      { matched: 1, scored: 0, relevant: 0, billable: 0, failed: 0, mention_units: 0 },
    ])
  })
})

test('whatever is scored, by however many and however often, each day of usage is what its mentions say', async () => {
  const round = fc.record({ keyword: fc.nat(2), relevance: fc.option(fc.integer({ min: 0, max: 100 })) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(round, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 1, max: 3 }),
      async (rounds, times) => {
        // New keywords each time: after twenty irrelevant mentions one would be taken for noise, and get no more.
        const acme = await workspace()
        const keywords = [await makeKeyword(acme), await makeKeyword(acme), await makeKeyword(acme)]
        const mentions = await Promise.all(rounds.map(({ keyword }) => mention(world, keywords[keyword]!)))
        const unscored = new Map((await readUnscored(world.db, mentions)).map((each) => [each.mentionId, each]))
        const scores = rounds.map(({ relevance }, at) => {
          const each = unscored.get(mentions[at]!.mentionId)!
          return { mention: each, verdict: relevance === null ? null : { ...VERDICT, relevance }, authorKeys: [] }
        })
        const record = () =>
          world.db.transaction((tx) => recordScores(tx, scores, { at: world.clock.now(), metered: true }))
        await Promise.all(Array.from({ length: times }, record))
        const { counters, days } = await recount(world, acme.workspaceId)
        expect(counters.kept).toEqual(counters.counted)
        expect(days.kept).toEqual(days.counted)
      },
    ),
    { numRuns: 25 },
  )
})

describe('an instant rule', () => {
  test('gets one delivery for each of its channels, due at once', async () => {
    const acme = await workspace()
    const [first, second] = [await channel(acme), await channel(acme)]
    const both = await rule(acme, { channelIds: [second, first] })
    const alone = await rule(acme, {
      channelIds: [first],
      event: 'mention.question',
      filter: { intents: ['question'] },
    })
    const waiting = await mention(world, await makeKeyword(acme))
    const told = await score(world, [waiting])
    const now = world.clock.now()
    const row = {
      mention_id: waiting.mentionId,
      kind: 'mention',
      status: 'pending',
      attempts: 0,
      attempt_limit: 5,
      due_at: now,
      leased_until: null,
    }
    const wanted = [
      { alert_id: both, channel_id: second, event: 'mention.matched', ...row },
      { alert_id: both, channel_id: first, event: 'mention.matched', ...row },
      { alert_id: alone, channel_id: first, event: 'mention.question', ...row },
    ]
    const rows = await deliveries(acme)
    expect(rows).toHaveLength(3)
    expect(rows).toEqual(expect.arrayContaining(wanted))
    expect(told).toHaveLength(3)
  })

  test.each([
    ['without a floor sends what is relevant', {}, 40, 1],
    ['without a floor keeps noise back', {}, 39, 0],
    ['with a lower floor sends noise', { minRelevance: 10 }, 10, 1],
    ['with a higher floor keeps the rest back', { minRelevance: 80 }, 79, 0],
    ['sends what its filter names', { sentiments: ['neutral'], languages: ['en'] }, 80, 1],
    ['keeps back what its filter does not name', { sentiments: ['negative'] }, 80, 0],
  ] as const)('%s', async (_, filter, relevance, sent) => {
    const acme = await workspace()
    await rule(acme, { channelIds: [await channel(acme)], filter })
    await score(world, [await mention(world, await makeKeyword(acme))], { relevance })
    expect(await deliveries(acme)).toHaveLength(sent)
  })

  test('of another workspace hears nothing', async () => {
    const [first, second] = [await workspace(), await workspace()]
    await rule(second, { channelIds: [await channel(second)] })
    await score(world, [await mention(world, await makeKeyword(first))])
    expect(await deliveries(second)).toEqual([])
  })

  test('that is switched off, or whose channel is, sends nothing; the next mention sees the change', async () => {
    const acme = await workspace()
    const [first, second] = [await channel(acme), await channel(acme)]
    const id = await rule(acme, { channelIds: [first, second] })
    const keyword = await makeKeyword(acme)
    accepted(await updateChannel(acme, second, { enabled: false }))
    await score(world, [await mention(world, keyword)])
    expect((await deliveries(acme)).map((each) => each['channel_id'])).toEqual([first])
    accepted(await updateAlert(acme, id, { filter: { minRelevance: 90 } }))
    await score(world, [await mention(world, keyword)])
    expect(await deliveries(acme)).toHaveLength(1)
    accepted(await updateAlert(acme, id, { filter: {}, enabled: false }))
    await score(world, [await mention(world, keyword)])
    expect(await deliveries(acme)).toHaveLength(1)
  })

  test('that changes holds as it is now for the very next mention, whatever it was compiled to before', async () => {
    const acme = await workspace()
    const id = await rule(acme, { channelIds: [await channel(acme)] })
    const keyword = await makeKeyword(acme)
    const sentAfter = async (change: AlertChange) => {
      accepted(await updateAlert(acme, id, change))
      return (await score(world, [await mention(world, keyword)], { relevance: 50 })).length
    }
    const steps: [AlertChange, number][] = [
      [{}, 1],
      [{ filter: { minRelevance: 51 } }, 0],
      [{ filter: { minRelevance: 50 } }, 1],
      [{ mode: 'hourly' }, 0],
      [{ mode: 'instant' }, 1],
      [{ channelIds: [] }, 0],
    ]
    for (const [change, sent] of steps) expect([change, await sentAfter(change)]).toEqual([change, sent])
  })

  test('with a lower floor sends noise to every kind of channel but mail, which gets what is relevant', async () => {
    const acme = await workspace()
    const [hook, mail, other] = [await channel(acme), await makeMailChannel(acme), await channel(acme)]
    await rule(acme, { channelIds: [hook, mail, other], filter: { minRelevance: 5 } })
    await rule(acme, { channelIds: [mail], filter: { minRelevance: 0 } })
    await rule(acme, { channelIds: [mail], filter: { minRelevance: 60 } })
    const keyword = await makeKeyword(acme)
    const reached = async (relevance: number) =>
      (await score(world, [await mention(world, keyword)], { relevance })).map(({ channelId }) => channelId)
    expect(await reached(4)).toEqual([])
    expect(await reached(39)).toEqual([hook, other])
    expect(await reached(40)).toEqual([hook, mail, other])
    expect(await reached(60)).toEqual([hook, mail, other])
  })

  test('sends nothing of a mention that is no longer open', async () => {
    const acme = await workspace()
    await rule(acme, { channelIds: [await channel(acme)] })
    const waiting = await mention(world, await makeKeyword(acme))
    await changeMention(world, waiting.mentionId, { status: 'ignored' })
    expect(await score(world, [waiting])).toEqual([])
    expect(await usage(acme)).toMatchObject([{ billable: 1 }])
  })

  test('makes a limited number of deliveries at once, at least those of one mention, and the rest is left whole', async () => {
    const [first, second] = [await workspace(), await workspace()]
    const channels = [await channel(first), await channel(first), await channel(first)]
    for (let rules = 0; rules < 2; rules += 1) await rule(first, { channelIds: channels, event: `event.${rules}` })
    const keyword = await makeKeyword(first)
    const mentions = []
    for (let at = 0; at < 5; at += 1) mentions.push(await mention(world, keyword))
    mentions.push(await mention(world, await makeKeyword(second)))
    const scores = (await readUnscored(world.db, mentions)).map((each) => ({
      mention: each,
      verdict: VERDICT,
      authorKeys: [],
    }))
    const record = (some: readonly Score[], deliveriesMax: number) =>
      world.db.transaction((tx) => recordScores(tx, some, { at: world.clock.now(), metered: true, deliveriesMax }))
    const alone = await record(scores, 1)
    expect([alone.written.length, alone.deliveries.length, alone.left.length]).toEqual([1, 6, 5])
    expect(await queued(first)).toBe(4)
    const two = await record(alone.left, 13)
    expect([two.written.length, two.deliveries.length, two.left.length]).toEqual([2, 12, 3])
    const again = await record(scores, 12)
    expect([again.written.length, again.deliveries.length, again.left.length]).toEqual([0, 0, 4])
    const rest = await record(two.left, 12)
    expect([rest.written.length, rest.deliveries.length, rest.left.length]).toEqual([3, 12, 0])
    expect(await deliveries(first)).toHaveLength(30)
    expect(await usage(first)).toMatchObject([{ scored: 5, billable: 5 }])
    expect(await usage(second)).toMatchObject([{ scored: 1, billable: 1 }])
  })

  test.each([
    ['is switched off', { enabled: false }],
    ['starts to send digests', { mode: 'hourly' }],
  ] as const)('that %s after it was read, while scores are written down, sends nothing', async (_, change) => {
    const acme = await workspace()
    const id = await rule(acme, { channelIds: [await channel(acme)] })
    const [unscored] = await readUnscored(world.db, [await mention(world, await makeKeyword(acme))])
    const told = await world.db.transaction((tx) => {
      const run: typeof tx.run = async (name, text, values) => {
        if (name === 'score-hold-rules') accepted(await updateAlert(acme, id, change))
        return tx.run(name, text, values)
      }
      return recordScores({ ...tx, run }, [{ mention: unscored!, verdict: VERDICT, authorKeys: [] }], {
        at: world.clock.now(),
        metered: true,
      })
    })
    expect([told.written.length, told.deliveries]).toEqual([1, []])
  })

  test('or a channel that is removed while mentions are scored gets nothing and undoes nothing', async () => {
    const acme = await workspace()
    const channels = await Promise.all([1, 2, 3, 4].map(() => channel(acme)))
    const rules: Uuid[] = []
    for (const each of channels) rules.push(await rule(acme, { channelIds: [each] }))
    const keyword = await makeKeyword(acme)
    const mentions = await store(
      world,
      Array.from({ length: 40 }, () => matchedBy(makePost(world), [keyword])),
    )
    await Promise.all([
      ...[0, 10, 20, 30].map((from) => score(world, mentions.slice(from, from + 10))),
      deleteChannel(acme, channels[0]!),
      deleteChannel(acme, channels[1]!),
      deleteAlert(acme, rules[2]!),
    ])
    expect(await queued(acme)).toBe(0)
    const left = await deliveries(acme)
    expect(left.filter((each) => each['channel_id'] === channels[3])).toHaveLength(40)
    expect(left.filter((each) => each['channel_id'] === channels[2] && each['status'] === 'pending')).toEqual([])
    expect(await usage(acme)).toMatchObject([{ billable: 40 }])
  })
})

describe('mentions that wait for a score', () => {
  test('are read whole, oldest first, and not again once they are scored', async () => {
    const acme = await workspace()
    const group = stored('grp', await acme.group('Rockets'))
    await world.db.query(sql`update keyword_group set context = 'We make rockets.' where id = ${group}`)
    const keyword = await makeKeyword(acme, {
      term: 'Rocket',
      kind: 'competitor',
      context: 'Not the salad.',
      groupId: group,
    })
    const plain = await makeKeyword(acme)
    const review = {
      rating: 4,
      ratingMax: 5,
      title: 'Good',
      version: '1',
      country: 'us',
      verified: null,
      response: 'Thanks',
      responseAt: new Date('2026-11-19T00:00:00.000Z'),
      app: null,
    }
    const post = makePost(world, {
      platform: 'trustpilot',
      review,
      title: 'Title',
      languageHint: null,
      links: ['https://acme.com/'],
      replyTo: { author: 'a', url: null, text: 'b' },
    })
    const [first] = await store(world, [matchedBy(post, [keyword])])
    const second = await mention(world, plain)
    const read = await readUnscored(world.db, [second, first!])
    expect(read).toEqual([
      {
        ...first,
        keywordId: keyword.uuid,
        keywordTerm: 'Rocket',
        keywordKind: 'competitor',
        keywordContext: 'Not the salad.',
        group: { id: group, name: 'Rockets', externalId: null, isDefault: false, context: 'We make rockets.' },
        marksVersion: 0,
        status: 'open',
        createdAt: first!.createdAt,
        post,
      },
      expect.objectContaining({
        mentionId: second.mentionId,
        keywordContext: null,
        group: expect.objectContaining({ isDefault: true, context: null }),
      }),
    ])
    await score(world, [first!])
    expect((await readUnscored(world.db, [second, first!])).map(({ mentionId }) => mentionId)).toEqual([
      second.mentionId,
    ])
  })

  test('are claimed by one only, oldest first, and again when the lease is over', async () => {
    await empty(world, 'score_queue')
    const keyword: TestKeyword = await makeKeyword(await workspace())
    const start = world.clock.now()
    const mentions = []
    for (const seconds of [0, 1, 2, 3])
      mentions.push(await mention(world, keyword, {}, { at: plus(start, seconds * SECOND_MS) }))
    const ids = mentions.map(({ mentionId }) => mentionId)
    const claim = (at: Date, limit: number) =>
      claimUnscored(world.db, { at, leasedUntil: plus(at, 30 * SECOND_MS), limit, together: 3 })
    expect(await claim(plus(start, 29_999), 10)).toEqual([])
    const later = plus(start, 32 * SECOND_MS)
    expect((await claim(later, 2)).map(({ mentionId }) => mentionId).sort()).toEqual(ids.slice(0, 2))
    const rest = await Promise.all([claim(later, 10), claim(later, 10), claim(later, 10)])
    expect(rest.flat().map(({ mentionId }) => mentionId)).toEqual([ids[2]])
    const [attempts] = await world.db.query<{ attempts: number }>(
      sql`select attempts from score_queue where mention_id = ${ids[0]}`,
    )
    expect(attempts!.attempts).toBe(1)
    expect(await claim(plus(later, 30 * SECOND_MS), 10)).toHaveLength(4)
  })
})

test('a scored mention has the facts that filters ask for', async () => {
  const acme = await workspace()
  const keyword = await makeKeyword(acme)
  const engagement = { likes: 1, reposts: 2, replies: 3, quotes: 4, views: 5, bookmarks: 6 }
  const post = makePost(world, {
    links: ['https://docs.acme.com/a', 'nonsense'],
    engagement,
    replyTo: { author: null, url: null, text: null },
  })
  const [unscored] = await readUnscored(world.db, await store(world, [matchedBy(post, [keyword])]))
  const verdict = { ...VERDICT, intents: [...INTENTS] }
  expect(filterableOf({ mention: unscored!, verdict, authorKeys: ['somebody'] })).toEqual({
    keywordId: keyword.uuid,
    keywordKind: 'brand',
    groupId: stored('grp', keyword.shown.group.id),
    platform: 'bluesky',
    status: 'open',
    relevance: 80,
    confidence: 0.9,
    sentiment: 'neutral',
    intents: [...INTENTS],
    automated: false,
    language: 'en',
    followers: 10,
    isReply: true,
    delivered: false,
    failed: false,
    unassigned: true,
    rating: null,
    ...engagement,
    linkHosts: ['docs.acme.com', 'acme.com'],
    authorKeys: ['somebody'],
    tags: [],
    words: [],
  })
  expect(filterableOf({ mention: unscored!, verdict: null, authorKeys: [] })).toMatchObject({
    relevance: null,
    sentiment: null,
    confidence: null,
    automated: null,
    intents: [],
  })
})
