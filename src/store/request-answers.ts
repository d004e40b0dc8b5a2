import { createHash } from 'node:crypto'
import { DAY_MS, plus } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.ts'
import { sql, type Transaction } from './database.ts'

/** For how long a request id stands for its first answer. */
export const REQUEST_ANSWER_MS = DAY_MS

export interface MarkedRequest {
  workspaceId: Uuid
  /** The id of the operation: request ids of different operations do not meet. */
  operation: string
  /** Undefined when the caller sent none; the work is then simply done. */
  requestId: string | undefined
  /** The request as it was understood; what counts is its JSON form, in which the order of fields does not matter. */
  body: unknown
  at: Date
}

/**
 * Does `work` at most once for a request id within a day: the same request again gets the first answer, another body
 * under the same id is refused. Claim, work and answer are one transaction, so two at once wait for each other. The
 * answer must survive JSON. A refusal is not kept, because the caller may remove its reason and ask again.
 */
export async function answerOnce<Answer>(tx: Transaction, request: MarkedRequest, work: () => Promise<Answer>): Promise<Answer | Refusal<'request_conflict'>> {
  const { workspaceId, operation, requestId, at } = request
  if (requestId === undefined) return work()
  const bodyHash = createHash('sha256').update(canonical(request.body)).digest()

  if (!(await claim(tx, request, bodyHash))) return firstAnswer<Answer>(tx, request, bodyHash)
  const answer = await work()
  const own = sql`workspace_id = ${workspaceId} and operation = ${operation} and request_id = ${requestId}`
  if (isRefusal(answer)) await tx.query(sql`delete from request_answer where ${own}`)
  else await tx.query(sql`update request_answer set answer = ${JSON.stringify(answer ?? null)}::jsonb, created_at = ${at} where ${own}`)
  return answer
}

/** Forgets answers that no longer count. */
export async function forgetRequestAnswers(tx: Transaction, at: Date): Promise<void> {
  await tx.query(sql`delete from request_answer where created_at <= ${plus(at, -REQUEST_ANSWER_MS)}`)
}

async function claim(tx: Transaction, { workspaceId, operation, requestId, at }: MarkedRequest, bodyHash: Buffer): Promise<boolean> {
  const claimed = await tx.query(sql`
    insert into request_answer as held (workspace_id, operation, request_id, body_hash, answer, created_at)
    values (${workspaceId}, ${operation}, ${requestId}, ${bodyHash}, 'null', ${at})
    on conflict (workspace_id, operation, request_id) do update set body_hash = excluded.body_hash, created_at = excluded.created_at
      where held.created_at <= ${plus(at, -REQUEST_ANSWER_MS)}
    returning 1`)
  return claimed.length === 1
}

async function firstAnswer<Answer>(
  tx: Transaction,
  { workspaceId, operation, requestId }: MarkedRequest,
  bodyHash: Buffer,
): Promise<Answer | Refusal<'request_conflict'>> {
  const [first] = await tx.query<{ body_hash: Buffer; answer: Answer }>(sql`
    select body_hash, answer from request_answer
     where workspace_id = ${workspaceId} and operation = ${operation} and request_id = ${requestId}`)
  if (first === undefined) throw new Error('the answer of a claimed request is gone')
  return first.body_hash.equals(bodyHash) ? first.answer : refuse('request_conflict', 'This requestId was used with a different body.')
}

/** JSON with the fields of every object in order of their names. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
    ) ?? 'null'
  )
}
