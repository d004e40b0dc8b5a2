import { type FieldProblem, isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { KeywordView } from '../../queries/keywords/keyword-shape.ts'
import { beforeOnce, once } from '../once.ts'
import type { WritingContext } from '../writing.ts'
import {
  againWhenTaken,
  type KeywordInput,
  type MakingRefusal,
  prepareKeywords,
  storeKeywords,
} from './make-keywords.ts'

export interface KeywordOutcome {
  index: number
  status: 'created' | 'refused'
  keyword: KeywordView | null
  error: { code: MakingRefusal; message: string; details?: FieldProblem[]; existingId?: string } | null
}

export interface MadeKeywords {
  data: KeywordOutcome[]
  created: number
  refused: number
}

/**
 * Creates many keywords, each with its own outcome. Limits and balance apply as if they were created one by one.
 * Outcomes are stored for the request id even if all are refused.
 */
export async function createKeywords(
  writing: WritingContext,
  inputs: readonly KeywordInput[],
  requestId: string | undefined,
): Promise<MadeKeywords | Refusal<'request_conflict'>> {
  const asked = { operation: 'create-keywords', requestId, body: inputs }
  const before = await beforeOnce<MadeKeywords>(writing, asked)
  if (before !== null) return before
  const prepared = await prepareKeywords(writing, inputs, { follow: false })
  return againWhenTaken(() =>
    once(writing, asked, async (tx) => outcomesOf(await storeKeywords(tx, writing, prepared))),
  )
}

function outcomesOf(made: readonly (KeywordView | Refusal<MakingRefusal>)[]): MadeKeywords {
  const data = made.map((item, index): KeywordOutcome => {
    if (!isRefusal(item)) return { index, status: 'created', keyword: item, error: null }
    const { code, message, details, existingId } = item
    return {
      index,
      status: 'refused',
      keyword: null,
      error: { code, message, ...(details && { details: [...details] }), ...(existingId && { existingId }) },
    }
  })
  const created = data.filter(({ status }) => status === 'created').length
  return { data, created, refused: data.length - created }
}
