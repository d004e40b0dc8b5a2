import { hintsOf, type KeywordHint } from '../../domain/keyword/hints.ts'
import { tokens } from '../../matching/index.ts'
import { getCompany } from '../../queries/company.ts'
import { readTermFlow } from '../../store/counts/word-flow.ts'
import type { WritingContext } from '../writing.ts'

interface HintedKeyword {
  term: string
  context: string | null
  matching?: { requiredTerms?: readonly string[] | undefined } | undefined
}

/** Longer phrases are hardly ever common. */
const WORDS_MOST = 2

/**
 * None for a keyword with required terms or before enough posts were read. Failures are only logged, so that they do
 * not fail the keyword.
 */
export async function hintsFor(writing: WritingContext, hinted: HintedKeyword): Promise<KeywordHint[]> {
  try {
    return await lookUpHints(writing, hinted)
  } catch (error) {
    writing.log.warn({ event: 'keyword.hints_failed', err: error }, 'The hints for a new keyword could not be made')
    return []
  }
}

async function lookUpHints(
  { db, clock, workspaceId }: WritingContext,
  { term, context, matching }: HintedKeyword,
): Promise<KeywordHint[]> {
  const words = tokens(term)
  if (words.length === 0 || words.length > WORDS_MOST || (matching?.requiredTerms ?? []).length > 0) return []
  const flow = await readTermFlow(db, words.join(' '), clock.now())
  const company = await getCompany({ db, workspaceId })
  return hintsOf(term, words.length, flow, {
    company: company.name,
    ownWords: new Set(tokens(`${company.context} ${context ?? ''}`)),
  })
}
