import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Uuid } from '../../src/kernel/ids.ts'
import { type Database, sql } from '../../src/store/database.ts'
import type { Change } from './changes.ts'
import { numberOfPost, type Plan } from './plan.ts'
import { receiptFrom } from './receipt.ts'
import type { Seeded } from './seed.ts'

/** What a run has to be judged by. */
export interface Evidence {
  db: Database
  /** Databases of workspaces that live in another cell by now. */
  elsewhere?: ReadonlyMap<Uuid, Database>
  plan: Plan
  seeded: Seeded
  changes: readonly Change[]
  disturbances: readonly Disturbed[]
  /** The file of the receivers, and the one with the time of each post. */
  receiptsPath: string
  timesPath: string
}

/** Something that was done to the service, and when it was whole again. */
export interface Disturbed {
  what: string
  fromMs: number
  toMs: number
}

/** A mention as the store has it. */
export interface StoredMention {
  workspaceId: Uuid
  mentionId: Uuid
  keywordId: Uuid
  post: number
  relevance: number | null
  failed: boolean
  /** Whether its post says how its author is called, which only the public view knows. */
  filledIn: boolean
  visibleMs: number
}

/** What arrives later than this is late. */
export const LATE_MS = 2000

/** When each post was published, in milliseconds since 1970, by its number; nought for numbers that were left out. */
export function readTimes(path: string): Float64Array {
  const bytes = readFileSync(path)
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8).map((us) => us / 1000)
}

/**
 * In portions by workspace, because all of them at once would be a large answer. The commit of the post made its
 * mentions visible.
 */
export async function readMentions({ db, elsewhere, seeded }: Evidence): Promise<StoredMention[]> {
  const mentions: StoredMention[] = []
  for (const { id } of seeded.workspaces) {
    const home = elsewhere?.get(id) ?? db
    const rows = await home.query<{
      id: Uuid
      keyword_id: Uuid
      native_id: string
      relevance: number | null
      failed: boolean
      filled_in: boolean
      visible_ms: number
    }>(sql`
      select m.id, m.keyword_id, p.native_id, m.relevance, m.failed, p.author->>'handle' is not null as filled_in,
        (extract(epoch from pg_xact_commit_timestamp(p.xmin)) * 1000)::float8 as visible_ms
      from mention m join post p on p.id = m.post_id where m.workspace_id = ${id}`)
    for (const row of rows) {
      mentions.push({
        workspaceId: id,
        mentionId: row.id,
        keywordId: row.keyword_id,
        post: numberOfPost(row.native_id),
        relevance: row.relevance,
        failed: row.failed,
        filledIn: row.filled_in,
        visibleMs: row.visible_ms,
      })
    }
  }
  return mentions
}

/** For every delivery id: its hook, its mention, and when it was accepted. */
export type Receipts = Map<string, { hook: number; mentionId: string; keywordId: string; post: number; atMs: number[] }>

export async function readReceipts(path: string): Promise<Receipts> {
  const receipts: Receipts = new Map()
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { deliveryId, atMs, ...receipt } = receiptFrom(line)
    const known = receipts.get(deliveryId)
    if (known) known.atMs.push(atMs)
    else receipts.set(deliveryId, { ...receipt, atMs: [atMs] })
  }
  return receipts
}
