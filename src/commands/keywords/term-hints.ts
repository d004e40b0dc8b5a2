import { hintsOf, type KeywordHint } from '../../domain/keyword/hints.ts'
import { tokens } from '../../matching/index.ts'
import { getCompany } from '../../queries/company.ts'
import { readTermFlow } from '../../store/counts/word-flow.ts'
import type { Writing } from '../writing.ts'

/** What is asked of a new keyword. */
interface HintedKeyword {
  term: string
  context: string | null
  matching?: { requiredTerms?: readonly string[] | undefined } | undefined
}

/** Longer phrases are not counted, and hardly ever common. */
const WORDS_MOST = 2

/**
 * What can be said of a new keyword by how often its words stand in what is read. Nothing where the keyword asks for
 * other words already, which narrows it, and nothing before enough was read. A keyword is made without advice rather
 * than not made, so what goes wrong here is told to the log alone.
 */
export async function hintsFor(writing: Writing, hinted: HintedKeyword): Promise<KeywordHint[]> {
  try {
    return await lookUpHints(writing, hinted)
  } catch (error) {
    writing.log.warn({ event: 'keyword.hints_failed', err: error }, 'The hints for a new keyword could not be made')
    return []
  }
}

async function lookUpHints(
  { db, clock, workspaceId }: Writing,
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
