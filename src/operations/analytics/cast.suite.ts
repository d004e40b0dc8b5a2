import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { stored, type TestWorkspace, type World } from '../../../test/world.ts'
import { INTENTS, type Intent, SENTIMENTS, type Sentiment } from '../../domain/mention/classification.ts'
import { PLATFORMS, type Platform } from '../../domain/platform/platforms.ts'
import type { Review } from '../../domain/post/post.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

/** A mention of the cast, as a test counts it by itself. */
export interface CastMention {
  keyword: TestKeyword
  platform: Platform
  publishedAt: Date
  /** Null where there is no score. */
  relevance: number | null
  sentiment: Sentiment | null
  intents: Intent[]
  language: string | null
  followers: number | null
  likes: number | null
  views: number | null
  author: string | null
  review: Review | null
}

export interface Cast {
  workspace: TestWorkspace
  keywords: TestKeyword[]
  mentions: CastMention[]
}

const COUNT = 180
/** Days before the present in which they were published. */
const DAYS = 70

/** A workspace with mentions of every kind, spread over some weeks in which clocks were set back in many places. */
export async function createCast(world: World): Promise<Cast> {
  const workspace = await world.workspace('Counted')
  const group = stored('grp', await workspace.group('Elsewhere'))
  const keywords = [
    await makeKeyword(workspace, { kind: 'brand' }),
    await makeKeyword(workspace, { kind: 'competitor' }),
    await makeKeyword(workspace, { kind: 'competitor', groupId: group }),
    await makeKeyword(workspace, { kind: 'topic', groupId: group }),
  ]
  const mentions: CastMention[] = []
  for (let number = 0; number < COUNT; number += 1) mentions.push(await makeOne(world, keywords, number))
  // Somebody else's mentions of the same days, which must never be counted.
  const stranger = await makeKeyword(await world.workspace('Stranger'))
  for (let number = 0; number < 5; number += 1) await makeOne(world, [stranger], number)
  return { workspace, keywords, mentions }
}

async function makeOne(world: World, keywords: readonly TestKeyword[], number: number): Promise<CastMention> {
  // Numbers without a common factor go through all combinations.
  const pick = <Value>(list: readonly Value[], step: number): Value => list[(number * step) % list.length]!
  const platform = pick(PLATFORMS, 7)
  const scored = number % 9 !== 0
  const mention: CastMention = {
    keyword: pick(keywords, 3),
    platform,
    publishedAt: plus(
      world.clock.now(),
      -Math.floor(((number * 37) % COUNT) * ((DAYS * 24) / COUNT) * HOUR_MS) - number * 977,
    ),
    relevance: scored ? (number * 13) % 101 : null,
    sentiment: scored ? pick(SENTIMENTS, 5) : null,
    intents: scored ? INTENTS.filter((_, place) => (number + place * place) % 7 === 0) : [],
    language: scored ? pick(['en', 'de', 'zh', null], 5) : null,
    followers: pick([null, 0, 10, 2000, 3_000_000_000], 2),
    likes: pick([null, 3, -2, 2_000_000_000], 3),
    views: pick([null, 100], 1),
    author: pick(['ada', 'bob', 'eve', null, 'joe'], 4),
    review: null,
  }
  if (platform === 'appstore' || platform === 'googleplay' || platform === 'trustpilot' || platform === 'googlemaps')
    mention.review = reviewOf(platform, number)
  const { likes, views } = mention
  const post = makePost(world, {
    platform,
    publishedAt: mention.publishedAt,
    engagement:
      likes === null && views === null
        ? null
        : { likes, reposts: null, replies: null, quotes: null, views, bookmarks: null },
    author:
      mention.author === null
        ? null
        : {
            id: mention.author,
            name: mention.author,
            handle: mention.author,
            url: null,
            avatarUrl: null,
            followers: mention.followers,
            automated: null,
          },
    review: mention.review,
  })
  const made = await store(world, [matchedBy(post, [mention.keyword])], { metered: false })
  const { relevance, sentiment, intents, language } = mention
  if (relevance !== null && sentiment !== null)
    await score(world, made, { relevance, sentiment, intents, language }, { metered: false })
  return mention
}

function reviewOf(platform: Platform, number: number): Review {
  const app =
    platform === 'appstore' || platform === 'googleplay'
      ? { platform, id: `app ${number % 2}`, url: `https://apps.example/${number % 2}` }
      : null
  return {
    rating: 1 + (number % 5),
    ratingMax: 5,
    title: null,
    version: number % 3 === 0 ? null : `1.${number % 3}`,
    country: number % 4 === 0 ? null : 'de',
    verified: null,
    response: null,
    responseAt: null,
    app,
  }
}

/**
 * What is relevant and published in some days of a time zone, counted by hand: the zone's own calendar says which day
 * it is.
 */
export function publishedIn(
  mentions: readonly CastMention[],
  from: string,
  to: string,
  timezone: string,
): CastMention[] {
  return mentions.filter(({ publishedAt }) => {
    const day = calendarDay(publishedAt, timezone)
    return day >= from && day <= to
  })
}

export function calendarDay(at: Date, timezone: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at)
}

/**
 * Followers as they are added up: what is unknown counts for nothing, and beyond what lists filter by all are alike.
 */
export function reachOf(mentions: readonly CastMention[]): number {
  return mentions.reduce(
    (sum, { author, followers }) => sum + (author === null ? 0 : Math.min(followers ?? 0, 2 ** 31 - 1)),
    0,
  )
}

export function engagementOf(mentions: readonly CastMention[]): number {
  return mentions.reduce((sum, { likes, views }) => sum + (likes ?? 0) + (views ?? 0), 0)
}

/** How many there are of each value. */
export function countBy<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Hides all mentions by an author as a team does by muting the person. */
export async function mute(world: World, { workspace }: Cast, name: string): Promise<void> {
  await world.db.query(sql`
    with muted as (
      select distinct m.workspace_id, m.account_id, m.platform from mention m join post p on p.id = m.post_id
      where m.workspace_id = ${workspace.workspaceId} and p.author_id = ${name} and m.account_id is not null),
    accounts as (insert into account (workspace_id, id, person_id, platform)
      select workspace_id, account_id, account_id, platform from muted on conflict do nothing)
    insert into person (workspace_id, id, muted) select workspace_id, account_id, true from muted
      on conflict (workspace_id, id) do update set muted = true`)
}
