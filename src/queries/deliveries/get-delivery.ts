import type { AttemptOutcome } from '../../domain/delivery/status.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'
import { type LoggedRequest, REQUESTS_STORED, requestFromBytes } from '../../store/delivery/delivery-attempts.ts'
import type { QueryContext } from '../reading.ts'
import { type DeliveryRow, type DeliveryView, deliveryFromRow, selectDeliveries } from './delivery-shape.ts'
import { findNamed, type NamedDelivery, noSuchDelivery } from './find-named.ts'

export interface AttemptView {
  number: number
  at: string
  durationMs: number
  outcome: AttemptOutcome
  error: string | null
  request: LoggedRequest | null
  response: { status: number | null; body: string } | null
}

export interface DeliveryDetail extends DeliveryView {
  /** Null unless the delivery waits for an attempt. */
  nextAttemptAt: string | null
  /** The newest attempts, oldest first. */
  attemptLog: AttemptView[]
}

/** A digest has up to 73 attempts, and each retry adds more. */
export const ATTEMPTS_SHOWN = 100
/** Newest attempts whose request is stored. */
export const REQUESTS_SHOWN = REQUESTS_STORED

export async function getDelivery(
  reading: QueryContext,
  named: NamedDelivery,
): Promise<DeliveryDetail | Refusal<'not_found'>> {
  const { db, workspaceId } = reading
  const found = await findNamed(db, workspaceId, named, [])
  if (isRefusal(found)) return found
  const row = await readRow(db, workspaceId, found.id)
  if (row === undefined) return noSuchDelivery()
  return {
    ...deliveryFromRow(row),
    nextAttemptAt: row.status === 'pending' ? await readDueTime(db, workspaceId, row.id) : null,
    attemptLog: await readAttempts(db, workspaceId, row.id),
  }
}

/** Throws when the delivery does not exist. */
export async function viewDelivery(
  reader: Reader,
  { workspaceId, deliveryId }: { workspaceId: Uuid; deliveryId: Uuid },
): Promise<DeliveryView> {
  const row = await readRow(reader, workspaceId, deliveryId)
  if (row === undefined) throw new Error('a delivery that was just written down cannot be read')
  return deliveryFromRow(row)
}

async function readRow(reader: Reader, workspaceId: Uuid, id: Uuid): Promise<DeliveryRow | undefined> {
  const [row] = await selectDeliveries(
    reader,
    sql`select * from delivery where workspace_id = ${workspaceId} and id = ${id}`,
    'asc',
  )
  return row
}

async function readDueTime(reader: Reader, workspaceId: Uuid, id: Uuid): Promise<string | null> {
  const [queued] = await reader.query<{ due_at: Date }>(sql`
    select due_at from delivery_queue where workspace_id = ${workspaceId} and delivery_id = ${id}
      order by due_at limit 1`)
  return queued?.due_at.toISOString() ?? null
}

interface AttemptRow {
  number: number
  at: Date
  duration_ms: number
  outcome: AttemptOutcome
  error: string | null
  request: Buffer | null
  response_status: number | null
  response_excerpt: string | null
}

async function readAttempts(reader: Reader, workspaceId: Uuid, id: Uuid): Promise<AttemptView[]> {
  const rows = await reader.query<AttemptRow>(sql`
    select number, at, duration_ms, outcome, error, case when row_number() over (order by number desc) <=
      ${REQUESTS_STORED} then request end as request,
      response_status, response_excerpt
    from delivery_attempt where workspace_id = ${workspaceId} and delivery_id = ${id} order by number desc
      limit ${ATTEMPTS_SHOWN}`)
  return rows.reverse().map((row) => ({
    number: row.number,
    at: row.at.toISOString(),
    durationMs: row.duration_ms,
    outcome: row.outcome,
    error: row.error,
    request: row.request === null ? null : requestFromBytes(row.request),
    response:
      row.response_status === null && row.response_excerpt === null
        ? null
        : { status: row.response_status, body: row.response_excerpt ?? '' },
  }))
}
