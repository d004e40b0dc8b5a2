import type { Annotations } from '../../domain/person/person.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

export interface PersonKey {
  workspaceId: Uuid
  personId: Uuid
}

/** The last ones, because an id begins with its time. */
export const WORD_PREFIX_DIGITS = 8

/** In UTF-16 units; names are written by anybody. */
const WORD_MAX = 60

export function nameWord(word: string): string {
  return word.slice(0, WORD_MAX).toWellFormed()
}

/** Followers are those of the largest account. */
export async function summarisePeople(tx: Transaction, people: readonly PersonKey[]): Promise<void> {
  if (people.length === 0) return
  // Lateral lookups: a full join would grow with the square of the number of people.
  await tx.query(sql`
    insert into person as p (workspace_id, id, followers, platforms, intents, kinds, mentions, relevant, positive,
      neutral, negative, first_seen_at, last_seen_at, words)
    select t.workspace_id, t.id, s.followers, s.platforms, coalesce(s.intents, 0), coalesce(s.kinds, 0), s.mentions,
      s.relevant, s.positive, s.neutral, s.negative, s.first_seen_at, s.last_seen_at,
      array_to_tsvector(coalesce(w.words, '{}'))
    from (select distinct workspace_id, id from unnest(${people.map((person) => person.workspaceId)}::uuid[],
      ${people.map((person) => person.personId)}::uuid[]) as t (workspace_id, id)) t
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

/** Without mentions, annotations and joined accounts. */
export async function removeForgotten(tx: Transaction, people: readonly PersonKey[]): Promise<Map<Uuid, number>> {
  const rows = await tx.query<{ workspace_id: Uuid }>(sql`
    with gone as (
      delete from person p using (select distinct workspace_id, id
        from unnest(${people.map((person) => person.workspaceId)}::uuid[],
          ${people.map((person) => person.personId)}::uuid[]) as t (workspace_id, id)) t
      where p.workspace_id = t.workspace_id and p.id = t.id and p.mentions = 0 and p.tags = '{}' and p.notes = ''
        and not p.muted
        and not exists (select from account a where a.workspace_id = p.workspace_id and a.person_id = p.id
          and a.id <> p.id)
      returning p.workspace_id, p.id)
    delete from account a using gone where a.workspace_id = gone.workspace_id and a.id = gone.id
      returning a.workspace_id`)
  return new Map([...groupBy(rows, (row) => row.workspace_id)].map(([workspaceId, gone]) => [workspaceId, gone.length]))
}

export interface HeldPerson extends Annotations {
  id: Uuid
  accountIds: Uuid[]
}

/** The caller holds the people. */
export async function readHeldPerson(tx: Transaction, workspaceId: Uuid, accountId: Uuid): Promise<HeldPerson | null> {
  const [person] = await tx.query<HeldPerson>(sql`
    select p.id, p.tags, p.notes, p.muted, (select array_agg(o.id order by o.id <> p.id, o.id) from account o
      where o.workspace_id = p.workspace_id and o.person_id = p.id) as "accountIds"
    from account a join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
      where a.workspace_id = ${workspaceId} and a.id = ${accountId}`)
  return person ?? null
}

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

/** Both people must be summarised or removed. */
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

/** The new people must be summarised. */
export async function partAccounts(tx: Transaction, workspaceId: Uuid, accountIds: readonly Uuid[]): Promise<void> {
  await tx.query(
    sql`update account set person_id = id where workspace_id = ${workspaceId} and id = any(${accountIds}::uuid[])`,
  )
}

/** Only for a person without accounts. */
export async function removePerson(tx: Transaction, workspaceId: Uuid, personId: Uuid): Promise<void> {
  await tx.query(sql`delete from person where workspace_id = ${workspaceId} and id = ${personId}`)
}
