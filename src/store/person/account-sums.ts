import { type AccountSum, SEEN_AGAIN_MAX } from '../../domain/person/person.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Author } from '../../domain/post/post.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { accountFacet } from '../filter/facets.ts'
import type { PersonKey } from './people.ts'

export async function readAuthors(reader: Reader, postIds: readonly Uuid[]): Promise<Map<Uuid, Author>> {
  const rows = await reader.query<{ id: Uuid; author: Author }>(
    sql`select id, author from post where id = any(${postIds}::uuid[]) and author is not null`,
  )
  return new Map(rows.map((row) => [row.id, row.author]))
}

/** Null when the newest post is gone. */
export interface ProfiledSum extends AccountSum {
  profile: (Pick<Author, 'name' | 'handle' | 'url' | 'avatarUrl' | 'followers'> & { words: readonly string[] }) | null
}

const COUNT_MAX = 2 ** 31 - 1

/**
 * A newer profile keeps the fields that it lacks. A new account becomes its own person. Returns changed people, and new
 * accounts by workspace.
 */
export async function moveAccounts(
  tx: Transaction,
  sums: readonly ProfiledSum[],
): Promise<{ people: PersonKey[]; made: Map<Uuid, number> }> {
  const known = await tx.query<{ id: Uuid }>(sql`
    select a.id from unnest(${sums.map((sum) => sum.workspaceId)}::uuid[],
      ${sums.map((sum) => sum.accountId)}::uuid[]) as t (workspace_id, id)
    join account a on a.workspace_id = t.workspace_id and a.id = t.id`)
  const ids = new Set(known.map((row) => row.id))
  // After its last mention an account has nothing to move.
  const rows = sums.filter((sum) => ids.has(sum.accountId) || (sum.platform !== null && sum.mentions > 0))
  const people = await tx.query<PersonKey>(sql`
    insert into account as a (workspace_id, id, person_id, platform, name, handle, url, avatar_url, followers, words,
      profile_at, mentions, relevant, positive, neutral, negative,
      intent_counts, kind_counts, first_seen_at, last_seen_at)
    select workspace_id, id, id, coalesce(platform, 0), name, handle, url, avatar_url, followers, words,
      coalesce(profile_at, '-infinity'), mentions, relevant, positive, neutral, negative,
      intent_counts, kind_counts, first_seen_at, last_seen_at
    from json_to_recordset(${JSON.stringify(rows.map(rowOfSum))}::json) as t (workspace_id uuid, id uuid,
      platform smallint, name text, handle text, url text, avatar_url text,
      followers integer, words text[], profile_at timestamptz, mentions integer, relevant integer, positive integer,
        neutral integer, negative integer, intent_counts integer[],
      kind_counts integer[], first_seen_at timestamptz, last_seen_at timestamptz)
    order by workspace_id, id
    on conflict (workspace_id, id) do update set
      name = case when excluded.profile_at >= a.profile_at then coalesce(excluded.name, a.name) else coalesce(a.name,
        excluded.name) end,
      handle = case when excluded.profile_at >= a.profile_at then coalesce(excluded.handle, a.handle)
        else coalesce(a.handle, excluded.handle) end,
      url = case when excluded.profile_at >= a.profile_at then coalesce(excluded.url, a.url) else coalesce(a.url,
        excluded.url) end,
      avatar_url = case when excluded.profile_at >= a.profile_at then coalesce(excluded.avatar_url, a.avatar_url)
        else coalesce(a.avatar_url, excluded.avatar_url) end,
      followers = case when excluded.profile_at >= a.profile_at then coalesce(excluded.followers, a.followers)
        else coalesce(a.followers, excluded.followers) end,
      words = case when excluded.words <> '{}' and (excluded.profile_at >= a.profile_at
        or a.words = '{}') then excluded.words else a.words end,
      profile_at = greatest(a.profile_at, excluded.profile_at),
      mentions = a.mentions + excluded.mentions, relevant = a.relevant + excluded.relevant, positive = a.positive +
        excluded.positive, neutral = a.neutral + excluded.neutral,
      negative = a.negative + excluded.negative,
      intent_counts = (select array_agg(coalesce(had, 0) + coalesce(more, 0) order by place)
        from unnest(a.intent_counts, excluded.intent_counts) with ordinality as c (had, more, place)),
      kind_counts = (select array_agg(coalesce(had, 0) + coalesce(more, 0) order by place)
        from unnest(a.kind_counts, excluded.kind_counts) with ordinality as c (had, more, place)),
      first_seen_at = least(a.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(a.last_seen_at,
        excluded.last_seen_at)
    returning a.workspace_id as "workspaceId", a.person_id as "personId"`)
  const made = groupBy(
    rows.filter((row) => !ids.has(row.accountId)),
    (row) => row.workspaceId,
  )
  return { people, made: new Map([...made].map(([workspaceId, accounts]) => [workspaceId, accounts.length])) }
}

/**
 * For accounts that lost mentions, after their counts moved. The search would take too long above SEEN_AGAIN_MAX
 * mentions.
 */
export async function refreshSeenTimes(
  tx: Transaction,
  accounts: readonly Pick<AccountSum, 'workspaceId' | 'accountId'>[],
): Promise<void> {
  if (accounts.length === 0) return
  await tx.query(sql`
    update account a set first_seen_at = seen.first, last_seen_at = seen.last
    from unnest(${accounts.map((account) => account.workspaceId)}::uuid[],
      ${accounts.map((account) => account.accountId)}::uuid[],
      ${accounts.map((account) => accountFacet(account.workspaceId, account.accountId))}::bigint[])
      as t (workspace_id, id, facet)
    join account o on o.workspace_id = t.workspace_id and o.id = t.id and o.mentions <= ${SEEN_AGAIN_MAX}
    cross join lateral (select min(m.published_at) as first, max(m.published_at) as last from mention m
      where m.workspace_id = t.workspace_id and m.facets @> array[t.facet] and m.account_id = t.id
        and m.scored_at is not null) seen
    where a.workspace_id = t.workspace_id and a.id = t.id`)
}

function rowOfSum({ workspaceId, accountId, platform, newest, oldestAt, shrank: _, profile, ...sum }: ProfiledSum) {
  return {
    workspace_id: workspaceId,
    id: accountId,
    platform: platform === null ? null : platformNumber(platform),
    name: profile?.name ?? null,
    handle: profile?.handle ?? null,
    url: profile?.url ?? null,
    avatar_url: profile?.avatarUrl ?? null,
    followers: profile?.followers == null ? null : Math.max(0, Math.min(COUNT_MAX, profile.followers)),
    words: profile?.words ?? [],
    profile_at: profile && newest ? newest.at : null,
    mentions: sum.mentions,
    relevant: sum.relevant,
    positive: sum.positive,
    neutral: sum.neutral,
    negative: sum.negative,
    intent_counts: sum.intentCounts,
    kind_counts: sum.kindCounts,
    first_seen_at: oldestAt,
    last_seen_at: newest?.at ?? null,
  }
}
