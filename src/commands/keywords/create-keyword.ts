import type { KeywordHint } from '../../domain/keyword/hints.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
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
import { hintsFor } from './term-hints.ts'

export interface NewKeyword extends KeywordInput {
  requestId?: string | undefined
}

export interface MadeKeyword extends KeywordView {
  hints: KeywordHint[]
}

type Made = MadeKeyword | Refusal<MakingRefusal>

/** Collects from now on. Nothing is charged before the next daily run. */
export async function createKeyword(
  writing: WritingContext,
  { requestId, ...body }: NewKeyword,
): Promise<Made | Refusal<'request_conflict'>> {
  const asked = { operation: 'create-keyword', requestId, body }
  const before = await beforeOnce<MadeKeyword>(writing, asked)
  if (before !== null) return before
  const [prepared] = await prepareKeywords(writing, [body], { follow: true })
  if (prepared === undefined || isRefusal(prepared)) return prepared!
  const hints = await hintsFor(writing, { ...body, term: prepared.keyword.term })
  return againWhenTaken(() =>
    once<Made>(writing, asked, async (tx) => {
      const [made] = await storeKeywords(tx, writing, [prepared])
      return isRefusal(made) ? made : { ...made!, hints }
    }),
  )
}
