import { ATTENTION_LIFETIME_MS, type AttentionKind } from '../../domain/attention/kinds.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { DELETE_BATCH, deleteInBatches } from '../delete-in-batches.ts'
import { notifyFollowers } from '../follower/followers.ts'
import { GivenRows, given } from '../given-rows.ts'

/** An item that was unresolved at the last check. */
export interface LastingItem {
  workspaceId: Uuid
  id: Uuid
  kind: AttentionKind
  subjectId: Uuid
}

/** Includes dismissed items. */
export function readLasting(reader: Reader, workspaceIds: readonly Uuid[]): Promise<LastingItem[]> {
  return reader.query<LastingItem>(sql`
    select workspace_id as "workspaceId", id, kind, subject_id as "subjectId" from attention_item
    where workspace_id = any(${workspaceIds}::uuid[]) and resolved_at is null order by workspace_id, id`)
}

export interface NewItem extends LastingItem {
  data: Record<string, unknown>
}

const ITEMS = new GivenRows<NewItem>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ id }) => id),
  kind: given.text(({ kind }) => kind),
  subject_id: given.uuid(({ subjectId }) => subjectId),
  data: given.writtenJson(({ data }) => data),
})

export async function openItems(tx: Transaction, items: readonly NewItem[], at: Date): Promise<void> {
  if (items.length === 0) return
  await tx.query(sql`
    insert into attention_item (workspace_id, id, kind, subject_id, data, opened_at)
    select workspace_id, id, kind, subject_id, data, ${at}
    from ${ITEMS.of(items)}`)
  await notifyFollowers(tx, 'attention.opened', items)
}

export async function resolveItems(tx: Transaction, items: readonly LastingItem[], at: Date): Promise<void> {
  if (items.length === 0) return
  await tx.query(sql`
    update attention_item i set resolved_at = ${at}
    from unnest(${items.map((item) => item.workspaceId)}::uuid[], ${items.map((item) => item.id)}::uuid[]) as t
      (workspace_id, id)
    where i.workspace_id = t.workspace_id and i.id = t.id and i.resolved_at is null`)
  await notifyFollowers(tx, 'attention.resolved', items)
}

/** What an open item says changes while its condition lasts. */
export async function renewItem(
  tx: Transaction,
  { workspaceId, id }: LastingItem,
  data: Record<string, unknown>,
): Promise<void> {
  await tx.query(sql`
    update attention_item set data = ${JSON.stringify(data)}::json where workspace_id = ${workspaceId} and id = ${id}`)
}

type ItemName = Pick<LastingItem, 'workspaceId' | 'id'>

/** No effect unless the item is open. */
export async function dismissItem(tx: Transaction, workspaceId: Uuid, id: Uuid, at: Date): Promise<void> {
  const dismissed = await tx.query<ItemName>(sql`
    update attention_item set dismissed_at = ${at} where workspace_id = ${workspaceId} and id = ${id}
      and resolved_at is null and dismissed_at is null returning workspace_id as "workspaceId", id`)
  await notifyFollowers(tx, 'attention.dismissed', dismissed)
}

export async function knownItems(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  const rows = await tx.query<{ id: Uuid }>(
    sql`select id from attention_item where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Locks the items in order of id; returns how many it dismissed. */
export async function dismissItems(
  tx: Transaction,
  workspaceId: Uuid,
  which: { ids: readonly Uuid[] } | { kind: AttentionKind },
  at: Date,
): Promise<number> {
  const named = 'ids' in which ? sql`id = any(${which.ids}::uuid[])` : sql`kind = ${which.kind}`
  const dismissed = await tx.query<ItemName>(sql`
    update attention_item set dismissed_at = ${at} where workspace_id = ${workspaceId} and resolved_at is null
      and dismissed_at is null and id in (
      select id from attention_item where workspace_id = ${workspaceId} and resolved_at is null and dismissed_at is null
        and ${named} order by id for update)
    returning workspace_id as "workspaceId", id`)
  await notifyFollowers(tx, 'attention.dismissed', dismissed)
  return dismissed.length
}

export function pruneAttention(db: Reader, at: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`delete from attention_item i using (
        select workspace_id, id from attention_item where resolved_at < ${plus(at, -ATTENTION_LIFETIME_MS)}
          limit ${DELETE_BATCH}::int for update skip locked) old
      where i.workspace_id = old.workspace_id and i.id = old.id returning i.id`,
  )
}
