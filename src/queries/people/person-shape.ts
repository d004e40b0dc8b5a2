import { RELEVANCE_THRESHOLD, SENTIMENTS } from '../../domain/mention/classification.ts'
import type { Annotations } from '../../domain/person/person.ts'
import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import type { Author } from '../../domain/post/post.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'
import { accountFacet } from '../../store/filter/facets.ts'

export interface PersonAccount {
  id: Id<'aut'>
  platform: Platform
  name: string | null
  handle: string | null
  url: string | null
}

/** Named by the first account. */
export interface Person extends PersonAccount {
  avatarUrl: string | null
  /** The first account first. */
  accounts: PersonAccount[]
  reach: { followers: number | null; following: number | null; posts: number | null }
  stats: {
    mentions: number
    relevant: number
    sentiment: { positive: number; neutral: number; negative: number }
    firstSeenAt: string | null
    lastSeenAt: string | null
  }
  annotations: Annotations
}

interface PersonRow extends Annotations {
  id: Uuid
  followers: number | null
  mentions: number
  relevant: number
  positive: number
  neutral: number
  negative: number
  first_seen_at: Date | null
  last_seen_at: Date | null
  accounts: AccountRow[]
}

interface AccountRow {
  id: Uuid
  platform: number
  name: string | null
  handle: string | null
  url: string | null
  avatar_url: string | null
}

/** In this order; missing people are left out. */
export async function readPeople(reader: Reader, workspaceId: Uuid, ids: readonly Uuid[]): Promise<Person[]> {
  if (ids.length === 0) return []
  const rows = await reader.query<PersonRow>(sql`
    select p.id, p.tags, p.notes, p.muted, p.followers, p.mentions, p.relevant, p.positive, p.neutral, p.negative,
      p.first_seen_at, p.last_seen_at,
      (select jsonb_agg(jsonb_build_object('id', a.id, 'platform', a.platform, 'name', a.name, 'handle', a.handle,
        'url', a.url, 'avatar_url', a.avatar_url) order by a.id <> p.id, a.id)
        from account a where a.workspace_id = p.workspace_id and a.person_id = p.id) as accounts
    from unnest(${ids}::uuid[]) with ordinality as t (id, place) join person p on p.workspace_id = ${workspaceId}
      and p.id = t.id order by t.place`)
  return rows.map(personFromRow)
}

/** More mentions are counted by the next `foldPeople`. */
const NEWCOMER_MENTIONS_MAX = 1000

/**
 * A person whose first mentions `foldPeople` has not counted yet, so that an author can be read at once. Null without
 * mentions.
 */
export async function readNewcomer(reader: Reader, workspaceId: Uuid, accountId: Uuid): Promise<Person | null> {
  const [row] = await reader.query<NewcomerRow>(sql`
    with own as materialized (
      select m.id, m.post_id, m.platform, m.published_at, m.scored_at, m.relevance, m.sentiment from mention m
      where m.workspace_id = ${workspaceId} and m.facets @> array[${accountFacet(workspaceId, accountId)}::bigint]
        and m.account_id = ${accountId} limit ${NEWCOMER_MENTIONS_MAX}),
    newest as (select platform, post_id from own order by id desc limit 1)
    select n.platform, p.author, s.* from newest n join post p on p.id = n.post_id cross join (
      select count(*) as mentions, count(*) filter (where relevance >= ${RELEVANCE_THRESHOLD}) as relevant,
        count(*) filter (where sentiment = ${SENTIMENTS.indexOf('positive')}) as positive,
        count(*) filter (where sentiment = ${SENTIMENTS.indexOf('neutral')}) as neutral,
          count(*) filter (where sentiment = ${SENTIMENTS.indexOf('negative')}) as negative,
        min(published_at) as first_seen_at, max(published_at) as last_seen_at from own where scored_at is not null) s`)
  if (!row?.author) return null
  const { platform, author, ...counts } = row
  const account = {
    id: accountId,
    platform,
    name: author.name,
    handle: author.handle,
    url: author.url,
    avatar_url: author.avatarUrl,
  }
  return personFromRow({
    ...counts,
    id: accountId,
    followers: author.followers,
    tags: [],
    notes: '',
    muted: false,
    accounts: [account],
  })
}

type NewcomerRow = Pick<
  PersonRow,
  'mentions' | 'relevant' | 'positive' | 'neutral' | 'negative' | 'first_seen_at' | 'last_seen_at'
> & {
  platform: number
  author: Author | null
}

function personFromRow(row: PersonRow): Person {
  const first = row.accounts[0]!
  return {
    ...accountFromRow(first),
    id: toId('aut', row.id),
    avatarUrl: first.avatar_url,
    accounts: row.accounts.map(accountFromRow),
    // No platform provides these for authors.
    reach: { followers: row.followers, following: null, posts: null },
    stats: {
      mentions: row.mentions,
      relevant: row.relevant,
      sentiment: { positive: row.positive, neutral: row.neutral, negative: row.negative },
      firstSeenAt: row.first_seen_at?.toISOString() ?? null,
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    },
    annotations: { tags: row.tags, notes: row.notes, muted: row.muted },
  }
}

function accountFromRow({ id, platform, name, handle, url }: AccountRow): PersonAccount {
  return { id: toId('aut', id), platform: platformFromNumber(platform), name, handle, url }
}
