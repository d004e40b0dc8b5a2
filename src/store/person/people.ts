import type { KeywordKind } from '../../domain/keyword/keyword.ts'
import { RELEVANCE_THRESHOLD, SENTIMENTS, type Sentiment } from '../../domain/mention/classification.ts'
import { type AccountChange, type AccountSum, type Annotations, SEEN_AGAIN_MAX } from '../../domain/person/person.ts'
import { platformFromNumber, platformNumber } from '../../domain/platform/platforms.ts'
import type { Author } from '../../domain/post/post.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'
import { cancelDeliveries } from '../delivery/deliveries.ts'
import { throughIndexes } from '../delivery/outbox.ts'
import { accountFacet } from '../filter/facets.ts'

// What happens to mentions. Counts of accounts and people are not moved with them: each change leaves a row, and
// `foldPeople` adds the rows up. Everything that changes what a mention counts for goes through here.

/** What a statement has to answer of mentions `m` whose coming or going is noted. */
export const COUNTED_COLUMNS =
  'm.workspace_id, m.id, m.keyword_id, m.post_id, m.account_id, m.platform, m.published_at, m.scored_at, ' +
  'm.relevance, m.sentiment, m.intents'

/**
 * A statement, for use within another, that notes that scored mentions came or went; `rows` names what answers them as
 * COUNTED_COLUMNS. Whoever runs it holds the counters of the keywords, so that meanwhile no mention begins to count for
 * another kind.
 */
export function notingMentions(rows: string, change: 'come' | 'go'): string {
  const sign = change === 'come' ? '' : '-'
  const isSentiment = (sentiment: Sentiment) =>
    `${sign}coalesce(m.sentiment = ${SENTIMENTS.indexOf(sentiment)}, false)::int`
  return `insert into account_change (workspace_id, account_id, post_id, platform, seen_at, kind, mentions, relevant,
      positive, neutral, negative, intents)
    select m.workspace_id, m.account_id, m.post_id, m.platform, m.published_at, coalesce(${COUNTED_KIND}, k.kind),
      ${sign}1, ${sign}coalesce(m.relevance >= ${RELEVANCE_THRESHOLD}, false)::int,
      ${isSentiment('positive')}, ${isSentiment('neutral')}, ${isSentiment('negative')}, coalesce(m.intents, 0)
    from ${rows} m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
      where m.account_id is not null and m.scored_at is not null`
}

/**
 * The kind for which mention `m` still counts, or counts already, while its keyword changes from one to another; null
 * at other times.
 */
const COUNTED_KIND = `(select case when m.post_id <= c.through then c.to_kind else c.from_kind end from kind_change c
  where c.workspace_id = m.workspace_id and c.keyword_id = m.keyword_id order by c.id limit 1)`

/** How the verdict on mentions of one account moves its counts, each by how much. */
export interface VerdictChange {
  workspaceId: Uuid
  accountId: Uuid
  relevant: number
  positive: number
  neutral: number
  negative: number
}

/** Notes that verdicts on scored mentions are others now. */
export async function noteAccountChanges(tx: Transaction, rows: readonly VerdictChange[]): Promise<void> {
  const moved = rows.filter(
    (row) => row.relevant !== 0 || row.positive !== 0 || row.neutral !== 0 || row.negative !== 0,
  )
  if (moved.length === 0) return
  await tx.run(
    'note-account-changes',
    `insert into account_change (workspace_id, account_id, mentions, relevant, positive, neutral, negative, intents)
     select workspace_id, account_id, 0, relevant, positive, neutral, negative, 0
     from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::smallint[], $5::smallint[],
       $6::smallint[]) as t (workspace_id, account_id, relevant, positive, neutral, negative)`,
    [
      moved.map((row) => row.workspaceId),
      moved.map((row) => row.accountId),
      moved.map((row) => row.relevant),
      moved.map((row) => row.positive),
      moved.map((row) => row.neutral),
      moved.map((row) => row.negative),
    ],
  )
}

/**
 * Notes that a keyword is of another kind now. The caller holds its counter. Its mentions follow in portions, by
 * `spreadKindChange`.
 */
export async function noteKindChange(
  tx: Transaction,
  workspaceId: Uuid,
  keywordId: Uuid,
  { from, to }: { from: KeywordKind; to: KeywordKind },
): Promise<void> {
  await tx.query(
    sql`insert into kind_change (workspace_id, keyword_id, from_kind, to_kind)
        values (${workspaceId}, ${keywordId}, ${from}, ${to})`,
  )
}

/** Keywords whose mentions do not all count for their new kind yet, those that have waited longest first. */
export async function findChangedKinds(db: Database, limit: number): Promise<{ workspaceId: Uuid; keywordId: Uuid }[]> {
  return await db.query<{ workspaceId: Uuid; keywordId: Uuid }>(
    sql`select workspace_id as "workspaceId", keyword_id as "keywordId" from kind_change group by 1, 2 order by min(id)
        limit ${limit}`,
  )
}

/**
 * Notes of the next mentions of a keyword, at most `limit`, that they count for its new kind. Answers whether there is
 * more to do; not so while somebody else holds the counter of the keyword, which is left for another time.
 */
export async function spreadKindChange(
  tx: Transaction,
  workspaceId: Uuid,
  keywordId: Uuid,
  limit: number,
): Promise<boolean> {
  const held = await tx.query(
    sql`select 1 from keyword_counter where workspace_id = ${workspaceId} and keyword_id = ${keywordId} for update skip
        locked`,
  )
  if (held.length === 0) return false
  const [change] = await tx.query<{ id: number; from: KeywordKind; to: KeywordKind; through: Uuid }>(sql`
    select id, from_kind as "from", to_kind as "to", through from kind_change where workspace_id = ${workspaceId}
      and keyword_id = ${keywordId} order by id limit 1`)
  if (change === undefined) return false
  // What is added comes first, so that nobody seems to be without mentions in between.
  const [next] = await tx.query<{ last: Uuid | null }>(sql`
    with portion as materialized (
      select m.post_id, m.account_id, m.platform, m.scored_at from mention m
      where m.workspace_id = ${workspaceId} and m.keyword_id = ${keywordId} and m.post_id > ${change.through}
        order by m.post_id limit ${limit}),
    noted as (
      insert into account_change (workspace_id, account_id, platform, kind, mentions, relevant, positive, neutral,
        negative, intents)
      select ${workspaceId}, m.account_id, m.platform, change.kind, change.sign * m.mentions, 0, 0, 0, 0, 0
      from (values (1, ${change.to}), (-1, ${change.from})) as change (sign, kind)
      cross join (select account_id, min(platform) as platform, count(*) as mentions from portion
        where account_id is not null and scored_at is not null group by account_id) m
      order by change.sign desc)
    select case when count(*) = ${limit} then (array_agg(post_id order by post_id desc))[1] end as last from portion`)
  const { last } = next!
  if (last === null)
    await tx.query(
      sql`delete from kind_change where workspace_id = ${workspaceId} and keyword_id = ${keywordId}
          and id = ${change.id}`,
    )
  else
    await tx.query(
      sql`update kind_change set through = ${last} where workspace_id = ${workspaceId} and keyword_id = ${keywordId}
          and id = ${change.id}`,
    )
  if (last !== null) return true
  const [further] = await tx.query(
    sql`select 1 from kind_change where workspace_id = ${workspaceId} and keyword_id = ${keywordId} limit 1`,
  )
  return further !== undefined
}

// What scoring and sending ask.

/** What a workspace has made of the person behind an account. */
export interface KnownPerson {
  id: Uuid
  tags: string[]
  muted: boolean
}

/**
 * Of these accounts those of which more is to be known than that they are one person: by account. Most workspaces have
 * none and are not looked at.
 */
export async function readKnownPeople(
  reader: Reader,
  accounts: readonly { workspaceId: Uuid; accountId: Uuid }[],
): Promise<Map<Uuid, KnownPerson>> {
  if (accounts.length === 0) return new Map()
  const rows = await reader.run<{ account_id: Uuid; id: Uuid; tags: string[]; muted: boolean }>(
    'read-known-people',
    `with wanted as materialized (select distinct workspace_id, account_id
        from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, account_id)),
     knowing as materialized (
       select workspace_id from (select distinct workspace_id from wanted) t
       where exists (select from person p where p.workspace_id = t.workspace_id and (p.muted or p.tags <> '{}'))
         or exists (select from account a where a.workspace_id = t.workspace_id and a.person_id <> a.id))
     select a.id as account_id, p.id, p.tags, p.muted from knowing join wanted t using (workspace_id)
     cross join lateral (select * from account a where a.workspace_id = t.workspace_id
       and a.id = t.account_id offset 0) a
     cross join lateral (select * from person p where p.workspace_id = a.workspace_id and p.id = a.person_id offset 0) p
     where p.muted or p.tags <> '{}' or p.id <> a.id`,
    [accounts.map((one) => one.workspaceId), accounts.map((one) => one.accountId)],
  )
  return new Map(rows.map((row) => [row.account_id, { id: row.id, tags: row.tags, muted: row.muted }]))
}

/**
 * Cancels what is not sent yet of mentions by these accounts, who are muted in this transaction. What waits has a place
 * in the queue and what is held is listed apart, so neither the log nor the mentions are searched.
 */
export async function cancelOfAccounts(tx: Transaction, workspaceId: Uuid, accountIds: readonly Uuid[]): Promise<void> {
  await throughIndexes(tx)
  // Scoring holds counters for itself until it commits, and reads the mute once it holds them: what it makes is either
  // there to be cancelled when all counters were to be had, or it waits and then makes nothing of these accounts.
  await tx.query(
    sql`select 1 from keyword_counter where workspace_id = ${workspaceId} order by keyword_id for key share`,
  )
  const rows = await tx.query<{ id: Uuid }>(sql`
    select d.id from (
      select delivery_id from delivery_queue where workspace_id = ${workspaceId} union select delivery_id
        from delivery_held where workspace_id = ${workspaceId}) waits
    join delivery d on d.workspace_id = ${workspaceId} and d.id = waits.delivery_id and d.status in ('pending', 'held')
    join mention m on m.workspace_id = ${workspaceId} and m.id = d.mention_id
      and m.account_id = any(${accountIds}::uuid[])`)
  if (rows.length === 0) return
  await cancelDeliveries(
    tx,
    sql`d.workspace_id = ${workspaceId} and d.id = any(${rows.map((row) => row.id)}::uuid[])`,
    'the author is muted',
  )
}

// The fold, and everything else that moves people. Whoever does it holds the people of the workspace.

/** Waits for the people of a workspace and holds them until the transaction ends. */
export async function holdPeople(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await beginTotals(tx, [workspaceId])
  await tx.query(sql`select from people_total where workspace_id = ${workspaceId} for update`)
}

/** Holds the people of those of these workspaces that nobody else holds at the moment; answers which. */
export async function holdPeopleOfSome(tx: Transaction, workspaceIds: readonly Uuid[]): Promise<Uuid[]> {
  await beginTotals(tx, workspaceIds)
  const rows = await tx.query<{ workspace_id: Uuid }>(
    sql`select workspace_id from people_total where workspace_id = any(${workspaceIds}::uuid[])
        order by workspace_id for update skip locked`,
  )
  return rows.map((row) => row.workspace_id)
}

async function beginTotals(tx: Transaction, workspaceIds: readonly Uuid[]): Promise<void> {
  await tx.query(sql`
    insert into people_total (workspace_id) select w.id from workspace w
    where w.id = any(${workspaceIds}::uuid[]) and not exists (select from people_total t where t.workspace_id = w.id)
      order by w.id on conflict do nothing`)
}

/** Adds to the number of people of workspaces; what is negative takes away. */
export async function addToTotals(tx: Transaction, people: ReadonlyMap<Uuid, number>): Promise<void> {
  const moved = [...people].filter(([, count]) => count !== 0)
  if (moved.length === 0) return
  await tx.query(sql`
    update people_total p set people = p.people + t.people
      from unnest(${moved.map(([id]) => id)}::uuid[], ${moved.map(([, count]) => count)}::bigint[]) as t (workspace_id,
      people)
    where p.workspace_id = t.workspace_id`)
}

/**
 * The next workspaces with changes that nobody has added up, in the order of their ids: stepping through the index,
 * because one may have very many.
 */
export async function findChangedWorkspaces(db: Database, after: Uuid, limit: number): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    with recursive changed (id) as (
      (select workspace_id from account_change where workspace_id > ${after} order by workspace_id limit 1)
      union all
      select next.workspace_id from changed cross join lateral (
        select c.workspace_id from account_change c where c.workspace_id > changed.id order by c.workspace_id
          limit 1) next)
    select id from changed limit ${limit}`)
  return rows.map((row) => row.id)
}

/** Forgets changes of workspaces that are gone. */
export async function forgetOrphanedChanges(db: Database, workspaceIds: readonly Uuid[]): Promise<void> {
  await db.query(sql`
    delete from account_change c using unnest(${workspaceIds}::uuid[]) as t (id)
      where c.workspace_id = t.id and not exists (select from workspace w where w.id = t.id)`)
}

/** Takes the oldest changes of workspaces whose people are held, at most `limit` of each. */
export async function takeChanges(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  limit: number,
): Promise<AccountChange[]> {
  const rows = await tx.query<Omit<AccountChange, 'platform'> & { platform: number | null }>(sql`
    delete from account_change c using (
      select oldest.* from unnest(${workspaceIds}::uuid[]) as t (workspace_id)
      cross join lateral (select workspace_id, id from account_change where workspace_id = t.workspace_id order by id
        limit ${limit}) oldest) taken
    where c.workspace_id = taken.workspace_id and c.id = taken.id
    returning c.workspace_id as "workspaceId", c.account_id as "accountId", c.post_id as "postId", c.platform,
      c.seen_at as "seenAt", c.kind,
      c.mentions, c.relevant, c.positive, c.neutral, c.negative, c.intents`)
  return rows.map((row) => ({ ...row, platform: row.platform === null ? null : platformFromNumber(row.platform) }))
}

/** Who wrote these posts, as far as they are still there. */
export async function readAuthors(reader: Reader, postIds: readonly Uuid[]): Promise<Map<Uuid, Author>> {
  const rows = await reader.query<{ id: Uuid; author: Author }>(
    sql`select id, author from post where id = any(${postIds}::uuid[]) and author is not null`,
  )
  return new Map(rows.map((row) => [row.id, row.author]))
}

/** A sum with the profile that goes with it: that of the newest post, null where there is none any more. */
export interface ProfiledSum extends AccountSum {
  profile: (Pick<Author, 'name' | 'handle' | 'url' | 'avatarUrl' | 'followers'> & { words: readonly string[] }) | null
}

const COUNT_MAX = 2 ** 31 - 1

/**
 * Moves the counts of accounts, and their profiles where these come from newer posts; what the newer post does not tell
 * stays. An account that is not there yet is made, as a person of its own. Answers the people who are touched, and how
 * many accounts are new in which workspace.
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
  // Of an account whose last mention went nothing is left to be moved.
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
 * Reads anew when accounts of which mentions went were seen first and last. To be called once their counts are moved.
 * Those with more mentions than SEEN_AGAIN_MAX keep their times: to find others would take too long.
 */
export async function lookWhenSeen(
  tx: Transaction,
  accounts: readonly Pick<AccountSum, 'workspaceId' | 'accountId'>[],
): Promise<void> {
  if (accounts.length === 0) return
  await tx.query(sql`
    update account a set first_seen_at = seen.first, last_seen_at = seen.last
    from unnest(${accounts.map((one) => one.workspaceId)}::uuid[], ${accounts.map((one) => one.accountId)}::uuid[],
      ${accounts.map((one) => accountFacet(one.workspaceId, one.accountId))}::bigint[]) as t (workspace_id, id, facet)
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

export interface PersonKey {
  workspaceId: Uuid
  personId: Uuid
}

/**
 * Hexadecimal digits of the workspace's id before each word by which its people are found: the last ones, because an id
 * begins with its time.
 */
export const WORD_PREFIX_DIGITS = 8

/** So many UTF-16 units of a word are kept, because names are written by anybody. */
const WORD_MAX = 60

/** A word as it is kept, and so as it has to be looked for. */
export function nameWord(word: string): string {
  return word.slice(0, WORD_MAX).toWellFormed()
}

/**
 * Makes people the sum of their accounts, and makes those who are not there yet. Reach is that of the account with most
 * followers.
 */
export async function summarisePeople(tx: Transaction, people: readonly PersonKey[]): Promise<void> {
  if (people.length === 0) return
  // Person by person, each with their few accounts: a join of all with all would grow with the square of their number.
  await tx.query(sql`
    insert into person as p (workspace_id, id, followers, platforms, intents, kinds, mentions, relevant, positive,
      neutral, negative, first_seen_at, last_seen_at, words)
    select t.workspace_id, t.id, s.followers, s.platforms, coalesce(s.intents, 0), coalesce(s.kinds, 0), s.mentions,
      s.relevant, s.positive, s.neutral, s.negative, s.first_seen_at, s.last_seen_at,
      array_to_tsvector(coalesce(w.words, '{}'))
    from (select distinct workspace_id, id from unnest(${people.map((one) => one.workspaceId)}::uuid[],
      ${people.map((one) => one.personId)}::uuid[]) as t (workspace_id, id)) t
    cross join lateral (
      select count(*) as accounts, max(a.followers) as followers, bit_or(1 << a.platform) as platforms,
        bit_or((select bit_or(1 << (place::int - 1)) from unnest(a.intent_counts) with ordinality as c (count, place)
          where count > 0)) as intents,
        bit_or((select bit_or(1 << (place::int - 1)) from unnest(a.kind_counts) with ordinality as c (count, place)
          where count > 0)) as kinds,
        sum(a.mentions) as mentions, sum(a.relevant) as relevant, sum(a.positive) as positive,
          sum(a.neutral) as neutral, sum(a.negative) as negative,
        min(a.first_seen_at) as first_seen_at, max(a.last_seen_at) as last_seen_at
      from account a where a.workspace_id = t.workspace_id and a.person_id = t.id) s
    cross join lateral (
      select array_agg(right(t.workspace_id::text, ${WORD_PREFIX_DIGITS}::int) || word) as words
      from account a cross join unnest(a.words) as u (word) where a.workspace_id = t.workspace_id
        and a.person_id = t.id) w
    where s.accounts > 0 order by t.workspace_id, t.id
    on conflict (workspace_id, id) do update set followers = excluded.followers, platforms = excluded.platforms,
      intents = excluded.intents, kinds = excluded.kinds,
      mentions = excluded.mentions, relevant = excluded.relevant, positive = excluded.positive,
        neutral = excluded.neutral, negative = excluded.negative,
      first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at, words = excluded.words`)
}

/**
 * Removes those of these people of whom nothing is left: no mention, nothing that the team said of them, and nobody
 * else joined with them. Answers how many in which workspace.
 */
export async function removeForgotten(tx: Transaction, people: readonly PersonKey[]): Promise<Map<Uuid, number>> {
  const rows = await tx.query<{ workspace_id: Uuid }>(sql`
    with gone as (
      delete from person p using (select distinct workspace_id, id
        from unnest(${people.map((one) => one.workspaceId)}::uuid[], ${people.map((one) => one.personId)}::uuid[]) as t
        (workspace_id, id)) t
      where p.workspace_id = t.workspace_id and p.id = t.id and p.mentions = 0 and p.tags = '{}' and p.notes = ''
        and not p.muted
        and not exists (select from account a where a.workspace_id = p.workspace_id and a.person_id = p.id
          and a.id <> p.id)
      returning p.workspace_id, p.id)
    delete from account a using gone where a.workspace_id = gone.workspace_id and a.id = gone.id
      returning a.workspace_id`)
  return new Map([...groupBy(rows, (row) => row.workspace_id)].map(([workspaceId, gone]) => [workspaceId, gone.length]))
}

/** A person whom a command is about. */
export interface HeldPerson extends Annotations {
  id: Uuid
  accountIds: Uuid[]
}

/**
 * The person to whom an account belongs; null when the workspace has no such account. The people of the workspace are
 * held.
 */
export async function readHeldPerson(tx: Transaction, workspaceId: Uuid, accountId: Uuid): Promise<HeldPerson | null> {
  const [person] = await tx.query<HeldPerson>(sql`
    select p.id, p.tags, p.notes, p.muted, (select array_agg(o.id order by o.id <> p.id, o.id) from account o
      where o.workspace_id = p.workspace_id and o.person_id = p.id) as "accountIds"
    from account a join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
      where a.workspace_id = ${workspaceId} and a.id = ${accountId}`)
  return person ?? null
}

/** Stores what the team says of people: the same of all of these. */
export async function annotate(
  tx: Transaction,
  workspaceId: Uuid,
  personIds: readonly Uuid[],
  { tags, notes, muted }: Annotations,
): Promise<void> {
  await tx.query(
    sql`update person set tags = ${tags}::text[], notes = ${notes}, muted = ${muted} where workspace_id = ${workspaceId}
        and id = any(${personIds}::uuid[])`,
  )
}

/** Gives accounts to a person. Both people are to be summarised, or removed. */
export async function giveAccounts(
  tx: Transaction,
  workspaceId: Uuid,
  accountIds: readonly Uuid[],
  personId: Uuid,
): Promise<void> {
  await tx.query(
    sql`update account set person_id = ${personId} where workspace_id = ${workspaceId}
        and id = any(${accountIds}::uuid[])`,
  )
}

/** Makes accounts people of their own, who are to be summarised. */
export async function partAccounts(tx: Transaction, workspaceId: Uuid, accountIds: readonly Uuid[]): Promise<void> {
  await tx.query(
    sql`update account set person_id = id where workspace_id = ${workspaceId} and id = any(${accountIds}::uuid[])`,
  )
}

/** Removes a person who has no account any more. */
export async function removePerson(tx: Transaction, workspaceId: Uuid, personId: Uuid): Promise<void> {
  await tx.query(sql`delete from person where workspace_id = ${workspaceId} and id = ${personId}`)
}
