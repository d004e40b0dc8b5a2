import { type Digest, digestShowing } from '../../domain/delivery/digest.ts'
import type { ErasurePlan } from '../../domain/erasure/erasure-plan.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { type Database, sql, type Transaction } from '../database.ts'
import { DELETE_BATCH, deleteInBatches } from '../delete-in-batches.ts'
import type { ErasedMention } from './author-posts.ts'

function given(mentions: readonly ErasedMention[]) {
  return sql`unnest(${mentions.map(({ workspaceId }) => workspaceId)}::uuid[],
    ${mentions.map(({ id }) => id)}::uuid[]) as t (workspace_id, id)`
}

/**
 * Removes the deliveries of the mentions from the log, after they were cancelled: a sending that is on its way then
 * finds nothing to write its request to. Returns how many.
 */
export async function eraseDeliveries(tx: Transaction, mentions: readonly ErasedMention[]): Promise<number> {
  const of = sql`using gone where x.workspace_id = gone.workspace_id and x.delivery_id = gone.id`
  const gone = await tx.query(sql`
    with gone as (
      delete from delivery d using ${given(mentions)} where d.workspace_id = t.workspace_id and d.mention_id = t.id
      returning d.workspace_id, d.id, d.more_alerts),
    shared as (delete from delivery_by_more_alerts x ${of} and x.alert_id = any(gone.more_alerts)),
    attempts as (delete from delivery_attempt x ${of}),
    unaccepted as (delete from delivery_unaccepted x ${of}),
    held as (delete from delivery_held x ${of}),
    receipts as (delete from email_receipt x ${of})
    select from gone`)
  return gone.length
}

/** Verdicts of the language model are kept by what was asked; those of these mentions have their notes. */
export async function eraseVerdicts(tx: Transaction, mentions: readonly ErasedMention[]): Promise<void> {
  const noted = mentions.filter(({ note }) => note !== null && note !== '')
  await tx.query(sql`
    delete from model_verdict v using (select distinct * from unnest(
      ${noted.map(({ workspaceId }) => workspaceId)}::uuid[], ${noted.map(({ note }) => note)}::text[])
      as t (workspace_id, note)) t
    where v.workspace_id = t.workspace_id and v.note = t.note`)
}

/** Requests in inspection inboxes that show one of the mentions. */
export async function eraseInspected(tx: Transaction, mentions: readonly ErasedMention[]): Promise<void> {
  await tx.query(sql`
    delete from inspected_request r where r.workspace_id = any(${workspacesOf(mentions)}::uuid[]) and exists (
      select from unnest(${mentions.map(({ id }) => toId('mtn', id))}::text[]) as t (id)
      where position(convert_to(t.id, 'UTF8') in r.body) > 0)`)
}

/** Takes the mentions out of digests, and forgets the requests of those digests. */
export async function eraseFromDigests(db: Database, mentions: readonly ErasedMention[]): Promise<void> {
  const shown = new Set<string>(mentions.map(({ id }) => toId('mtn', id)))
  await db.transaction(async (tx) => {
    const digests = await tx.query<{ workspaceId: Uuid; id: Uuid; data: Digest<{ id: string }> }>(sql`
      select workspace_id as "workspaceId", id, data from delivery d
      where d.workspace_id = any(${workspacesOf(mentions)}::uuid[]) and d.kind = 'digest' and exists (
        select from unnest(${[...shown]}::text[]) as t (id) where strpos(d.data::text, t.id) > 0)
      order by id for update`)
    for (const { workspaceId, id, data } of digests) {
      const left = digestShowing(data, (mention) => !shown.has(mention))
      await tx.query(sql`
        update delivery set data = ${JSON.stringify(left)}::json where workspace_id = ${workspaceId} and id = ${id}`)
      await tx.query(sql`
        update delivery_attempt set request = null, response_excerpt = null
        where workspace_id = ${workspaceId} and delivery_id = ${id}`)
    }
  })
}

/** What names the author apart from posts and people: samples of dropped posts, and handles that were looked up. */
export async function eraseTraces(db: Database, { platform, ids, handles }: ErasurePlan): Promise<void> {
  await deleteInBatches(
    db,
    sql`delete from rejected_post where ctid = any(array(select ctid from rejected_post
          where platform = ${platformNumber(platform)} and author_id = any(${ids}::text[])
          limit ${DELETE_BATCH})) returning 1`,
  )
  await db.query(sql`
    delete from author_identity where platform = ${platform} and (id = any(${ids}::text[])
      or handle = any(${handles}::text[]))`)
}

function workspacesOf(mentions: readonly ErasedMention[]): Uuid[] {
  return [...new Set(mentions.map(({ workspaceId }) => workspaceId))]
}
