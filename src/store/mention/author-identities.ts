import type { Handle } from '../../domain/person/handle.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import type { Author } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'
import { announceKeywords } from '../keyword/keywords.ts'

/** The id of the handle's last known owner. */
export interface AuthorIdentity extends Handle {
  id: string | null
}

export interface KnownIdentity extends AuthorIdentity {
  checkedAt: Date | null
}

export async function readIdentities(reader: Reader, handles: readonly Handle[]): Promise<KnownIdentity[]> {
  return reader.query<KnownIdentity>(sql`
    select i.platform, i.handle, i.id, i.checked_at as "checkedAt"
    from unnest(${handles.map((handle) => handle.platform)}::text[], ${handles.map((handle) => handle.handle)}::text[])
      as t (platform, handle)
    join author_identity i on i.platform = t.platform and i.handle = t.handle`)
}

export interface IdentityNote extends KnownIdentity {
  /** Neither checked nor forgotten before this. */
  dueAt: Date
}

const NOTES = new GivenRows<IdentityNote>({
  platform: given.text(({ platform }) => platform),
  handle: given.text(({ handle }) => handle),
  id: given.text(({ id }) => id),
  checked_at: given.instant(({ checkedAt }) => checkedAt),
  due_at: given.instant(({ dueAt }) => dueAt),
})

/** The latest response wins; the id stays when nobody has the handle now. */
export async function noteIdentities(tx: Transaction, notes: readonly IdentityNote[]): Promise<void> {
  if (notes.length === 0) return
  await tx.query(sql`
    insert into author_identity as i (platform, handle, id, checked_at, due_at)
    select * from ${NOTES.of(notes)}
    order by platform, handle
    on conflict (platform, handle) do update set
      id = case when excluded.checked_at >= coalesce(i.checked_at, '-infinity') then coalesce(excluded.id, i.id)
        else coalesce(i.id, excluded.id) end,
      checked_at = greatest(i.checked_at, excluded.checked_at), due_at = greatest(i.due_at, excluded.due_at)`)
}

export interface DueIdentity extends KnownIdentity {
  dueAt: Date
}

/** Longest due first. */
export async function readDueIdentities(
  reader: Reader,
  { platform, at, after, limit }: { platform: string; at: Date; after: DueIdentity | null; limit: number },
): Promise<DueIdentity[]> {
  const behind = after === null ? sql`true` : sql`(due_at, handle) > (${after.dueAt}::timestamptz, ${after.handle})`
  return reader.query<DueIdentity>(sql`
    select platform, handle, id, checked_at as "checkedAt", due_at as "dueAt" from author_identity
    where platform = ${platform} and due_at <= ${at} and ${behind} order by due_at, handle limit ${limit}`)
}

export async function readKeysInUse(reader: Reader, keys: readonly string[]): Promise<string[]> {
  const rows = await reader.query<{ key: string }>(sql`
    select key from unnest(${keys}::text[]) as t (key)
    where exists (select from keyword k where k.excluded_author_keys <> '{}' and k.excluded_author_keys @> array[t.key])
      or exists (select from workspace_filters f where f.excluded_author_keys <> '{}'
        and f.excluded_author_keys @> array[t.key])`)
  return rows.map(({ key }) => key)
}

/** Skips handles noted anew or being noted. */
export async function forgetHandles(tx: Transaction, handles: readonly Handle[], at: Date): Promise<void> {
  await tx.query(sql`
    delete from author_identity i using (
      select n.platform, n.handle from author_identity n
      join unnest(${handles.map((handle) => handle.platform)}::text[],
        ${handles.map((handle) => handle.handle)}::text[])
        as t (platform, handle)
        on t.platform = n.platform and t.handle = n.handle
      where n.due_at <= ${at} order by n.platform, n.handle for update of n skip locked) as due
    where i.platform = due.platform and i.handle = due.handle`)
}

export interface ExcludingKeyword {
  workspaceId: Uuid
  id: Uuid
  entries: string[]
  keys: string[]
}

export interface ExcludingBatch {
  keywords: ExcludingKeyword[]
  /** Where the next page begins; null for the last page. */
  last: Uuid | null
}

/**
 * Locks counters and keywords until the transaction ends. Finds keywords without a lock, because counters are locked
 * first everywhere, in order of workspace and id; skips those changed meanwhile.
 */
export async function lockExcluding(
  tx: Transaction,
  keys: readonly string[],
  after: Uuid | null,
  limit: number,
): Promise<ExcludingBatch> {
  const excludes = sql`k.excluded_author_keys <> '{}' and k.excluded_author_keys && ${keys}::text[]`
  const found = await tx.query<{ workspace_id: Uuid; id: Uuid }>(sql`
    select k.workspace_id, k.id from keyword k where ${excludes} and (${after}::uuid is null or k.id > ${after}::uuid)
      order by k.id limit ${limit}`)
  const named = sql`unnest(${found.map((item) => item.workspace_id)}::uuid[], ${found.map((item) => item.id)}::uuid[])
      as t (workspace_id, id)`
  await tx.query(sql`
    select from keyword_counter c join ${named} on c.workspace_id = t.workspace_id and c.keyword_id = t.id
      order by c.workspace_id, c.keyword_id for no key update of c`)
  const rows = await tx.query<{
    workspace_id: Uuid
    id: Uuid
    excluded_authors: string[]
    excluded_author_keys: string[]
  }>(sql`
    select k.workspace_id, k.id, k.excluded_authors, k.excluded_author_keys from keyword k
      join ${named} on k.workspace_id = t.workspace_id and k.id = t.id
    where ${excludes} order by k.workspace_id, k.id for no key update of k`)
  const keywords = rows.map((row) => ({
    workspaceId: row.workspace_id,
    id: row.id,
    entries: row.excluded_authors,
    keys: row.excluded_author_keys,
  }))
  return { keywords, last: found.length < limit ? null : found.at(-1)!.id }
}

export async function setExcludedKeys(tx: Transaction, keywords: readonly ExcludingKeyword[]): Promise<void> {
  const byWorkspace = new Map<Uuid, Uuid[]>()
  for (const { workspaceId, id, keys } of keywords) {
    await tx.query(
      sql`update keyword set excluded_author_keys = ${keys}::text[] where workspace_id = ${workspaceId} and id = ${id}`,
    )
    byWorkspace.set(workspaceId, [...(byWorkspace.get(workspaceId) ?? []), id])
  }
  for (const [workspaceId, ids] of byWorkspace) await announceKeywords(tx, workspaceId, ids)
}

/** In the order of `posts`; null without a mention of the workspace or a known author. */
export async function readOwnAuthors(
  reader: Reader,
  workspaceId: Uuid,
  posts: readonly { platform: Platform; nativeId: string }[],
): Promise<(Author | null)[]> {
  const ids = posts.map(({ platform, nativeId }) => postId(platform, nativeId))
  const rows = await reader.query<{ id: Uuid; author: Author | null }>(sql`
    select p.id, p.author from post p where p.id = any(${ids}::uuid[])
      and exists (select from mention m where m.workspace_id = ${workspaceId} and m.post_id = p.id)`)
  return ids.map((id) => rows.find((row) => row.id === id)?.author ?? null)
}
