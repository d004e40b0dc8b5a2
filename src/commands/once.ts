import type { Refusal } from '../domain/refusal/refusal.ts'
import type { Transaction } from '../store/database.ts'
import { answeredBefore, answerOnce, type MarkedRequest } from '../store/workspace/request-answers.ts'
import type { Writing } from './writing.ts'

/** What a caller asks for, and the id with which they may have marked it. */
export interface Asked {
  /** The id of the operation. */
  operation: string
  requestId: string | undefined
  /** The request as it was understood. */
  body: unknown
}

/**
 * One transaction in which `work` is done at most once for the id of the request within a day; the same request again
 * gets the first answer.
 */
export function once<Answer>(
  writing: Writing,
  asked: Asked,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer | Refusal<'request_conflict'>> {
  return writing.db.transaction((tx) => answerOnce(tx, marked(writing, asked), () => work(tx)))
}

/**
 * What a request was answered before; null when it is new. For work that asks somebody outside before `once` stores
 * what comes of it.
 */
export function beforeOnce<Answer>(
  writing: Writing,
  asked: Asked,
): Promise<Answer | Refusal<'request_conflict'> | null> {
  return answeredBefore<Answer>(writing.db, marked(writing, asked))
}

function marked({ workspaceId, clock, sealer }: Writing, asked: Asked): MarkedRequest {
  return { ...asked, workspaceId, sealer, at: clock.now() }
}
