import type { Refusal } from '../domain/refusal/refusal.ts'
import type { Transaction } from '../store/database.ts'
import { answeredBefore, answerOnce, type MarkedRequest } from '../store/workspace/request-answers.ts'
import type { WritingContext } from './writing.ts'

export interface RepeatableRequest {
  operation: string
  requestId: string | undefined
  /** The parsed request. */
  body: unknown
}

/** Runs `work` at most once a day for each request id; a repetition returns the first answer. */
export function once<Answer>(
  writing: WritingContext,
  asked: RepeatableRequest,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer | Refusal<'request_conflict'>> {
  return writing.db.transaction((tx) => answerOnce(tx, marked(writing, asked), () => work(tx)))
}

/** Null for a new request. For commands that call an outside service before `once`. */
export function beforeOnce<Answer>(
  writing: WritingContext,
  asked: RepeatableRequest,
): Promise<Answer | Refusal<'request_conflict'> | null> {
  return answeredBefore<Answer>(writing.db, marked(writing, asked))
}

function marked({ workspaceId, clock, sealer }: WritingContext, asked: RepeatableRequest): MarkedRequest {
  return { ...asked, workspaceId, sealer, at: clock.now() }
}
