import { createHash } from 'node:crypto'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

export const REQUEST_ANSWER_MS = DAY_MS

export interface MarkedRequest {
  workspaceId: Uuid
  operation: string
  /** Undefined runs the work without a record. */
  requestId: string | undefined
  body: unknown
  at: Date
  /** Results may hold secrets that are shown once. */
  sealer: Sealer
}

/**
 * At most once a day for a request id: a repeat gets the first result, another body is refused. One transaction, so
 * concurrent repeats wait. The result must survive JSON. Refusals are not stored, because the caller may remove the
 * reason and retry.
 */
export async function answerOnce<Answer>(
  tx: Transaction,
  request: MarkedRequest,
  work: () => Promise<Answer>,
): Promise<Answer | Refusal<'request_conflict'>> {
  const { workspaceId, operation, requestId, at } = request
  if (requestId === undefined) return work()

  if (!(await claim(tx, request))) return firstAnswer<Answer>(tx, request)
  const answer = await work()
  const own = sql`workspace_id = ${workspaceId} and operation = ${operation} and request_id = ${requestId}`
  if (isRefusal(answer)) await tx.query(sql`delete from request_answer where ${own}`)
  else {
    const sealed = request.sealer.seal(JSON.stringify(answer ?? null), answerBinding(request))
    await tx.query(sql`update request_answer set answer_sealed = ${sealed}, created_at = ${at} where ${own}`)
  }
  return answer
}

/** Null for a new request, which `answerOnce` handles. */
export async function answeredBefore<Answer>(
  reader: Reader,
  request: MarkedRequest,
): Promise<Answer | Refusal<'request_conflict'> | null> {
  const { workspaceId, operation, requestId, at } = request
  if (requestId === undefined) return null
  const [first] = await reader.query<AnswerRow>(sql`
    select body_hash, answer_sealed from request_answer where workspace_id = ${workspaceId} and operation = ${operation}
       and request_id = ${requestId} and created_at > ${plus(at, -REQUEST_ANSWER_MS)}`)
  return first === undefined ? null : opened<Answer>(first, request)
}

export async function forgetRequestAnswers(tx: Transaction, at: Date): Promise<void> {
  await tx.query(sql`delete from request_answer where created_at <= ${plus(at, -REQUEST_ANSWER_MS)}`)
}

async function claim(tx: Transaction, request: MarkedRequest): Promise<boolean> {
  const { workspaceId, operation, requestId, at } = request
  const claimed = await tx.query(sql`
    insert into request_answer as held (workspace_id, operation, request_id, body_hash, answer_sealed, created_at)
    values (${workspaceId}, ${operation}, ${requestId}, ${hashOf(request)}, '', ${at})
    on conflict (workspace_id, operation, request_id) do update
      set body_hash = excluded.body_hash, created_at = excluded.created_at
      where held.created_at <= ${plus(at, -REQUEST_ANSWER_MS)}
    returning 1`)
  return claimed.length === 1
}

interface AnswerRow {
  body_hash: Buffer
  answer_sealed: string
}

async function firstAnswer<Answer>(
  tx: Transaction,
  request: MarkedRequest,
): Promise<Answer | Refusal<'request_conflict'>> {
  const { workspaceId, operation, requestId } = request
  const [first] = await tx.query<AnswerRow>(sql`
    select body_hash, answer_sealed from request_answer
     where workspace_id = ${workspaceId} and operation = ${operation} and request_id = ${requestId}`)
  if (first === undefined) throw new Error('the answer of a claimed request is gone')
  return opened<Answer>(first, request)
}

function opened<Answer>(
  { body_hash, answer_sealed }: AnswerRow,
  request: MarkedRequest,
): Answer | Refusal<'request_conflict'> {
  if (!body_hash.equals(hashOf(request)))
    return refuse('request_conflict', 'This requestId was used with a different body.')
  const answer = request.sealer.open(answer_sealed, answerBinding(request))
  // With another sealing key: the work is done, and must not be repeated.
  if (answer === null)
    return refuse('request_conflict', 'This requestId was answered before, and its answer can no longer be read.')
  return JSON.parse(answer) as Answer
}

function hashOf({ body }: MarkedRequest): Buffer {
  return createHash('sha256').update(canonical(body)).digest()
}

export function answerBinding({
  workspaceId,
  operation,
  requestId,
}: Pick<MarkedRequest, 'workspaceId' | 'operation'> & { requestId: string | undefined }): string {
  return `answer ${workspaceId} ${operation} ${requestId}`
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'null'
  )
}
