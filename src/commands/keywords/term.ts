import { KEYWORD_LIMITS, normaliseTerm } from '../../domain/keyword/keyword.ts'
import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { cleanText } from '../../kernel/text.ts'
import { foldTerm } from '../../matching/index.ts'

/** NFC, without control characters, white space collapsed. */
export function normalFormOfTerm(text: string): string {
  return normaliseTerm(cleanText(text))
}

/** `folded` is equal for terms that count as the same. */
export function termFrom(text: string): { term: string; folded: string } | Refusal<'validation_error'> {
  const term = normalFormOfTerm(text)
  const length = [...term].length
  if (length < KEYWORD_LIMITS.termMin || length > KEYWORD_LIMITS.termMax)
    return refuseField('term', `must have ${KEYWORD_LIMITS.termMin} to ${KEYWORD_LIMITS.termMax} characters`)
  const folded = foldTerm(term)
  if (!/[\p{L}\p{N}\p{S}]/u.test(folded)) return refuseField('term', 'must contain a letter, a digit or a symbol')
  return { term, folded }
}
