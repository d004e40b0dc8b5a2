import { z } from 'zod'
import { KEYWORD_LIMITS } from '../../../domain/keyword/keyword.ts'
import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { textIn } from '../../../operations/shapes.ts'
import { entriesOf } from '../fields.ts'
import { isUncollected, KEYWORD_SLUGS } from '../platforms.ts'
import { isWildcard, TAGS } from './shape.ts'

/** Characters of a context here; ours may be longer and is kept. */
const CONTEXT_MAX = 200
const ADDITIONAL_MAX = 500
/** Characters of any other list, which counts by its entries. */
const TEXT_MAX = 60_000

/** A comma-separated text as entries; an empty text and null are none. */
function entriesIn(
  maxText: number,
  entries: number,
  length: number,
  refine: (entry: string) => string | null = () => null,
) {
  return z
    .string()
    .max(maxText)
    .nullable()
    .transform((text, context): string[] => {
      const list = entriesOf(text ?? '')
      const wrong = (message: string) => context.addIssue({ code: 'custom', message, input: text })
      if (list.length > entries) wrong(`must have at most ${entries} entries`)
      for (const entry of list) {
        const problem = [...entry].length > length ? `has an entry longer than ${length} characters` : refine(entry)
        if (problem !== null) wrong(problem)
      }
      return list
    })
    .optional()
}

const { terms, termEntryMax, authors, authorEntryMax } = KEYWORD_LIMITS

/** What may be said of a keyword, when it is created and when it is changed. */
export const keywordInput = {
  context: textIn(0, CONTEXT_MAX)
    .nullable()
    .transform((text) => text || null)
    .optional(),
  additionalTerms: entriesIn(ADDITIONAL_MAX, terms, termEntryMax).meta({
    description: 'Comma-separated terms that the post must also contain.',
  }),
  additionalTermsAndOr: z.boolean().optional().meta({ description: 'True if one of them is enough.' }),
  caseSensitive: z.boolean().optional(),
  symbolSensitive: z.boolean().optional().meta({ description: 'False is answered 501: whole phrases only.' }),
  platforms: z
    .array(z.enum(KEYWORD_SLUGS as [string, ...string[]]))
    .min(1)
    .max(KEYWORD_SLUGS.length)
    .optional()
    .meta({ description: 'Instagram is always added. Sources that are not collected are answered 501.' }),
  excludeWords: entriesIn(TEXT_MAX, terms, termEntryMax, (entry) =>
    isWildcard(entry) ? 'has an entry with *; send it as wildcardExcludeWords' : null,
  ).meta({ description: 'Comma-separated words that drop a post.' }),
  wildcardExcludeWords: entriesIn(TEXT_MAX, terms, termEntryMax, (entry) =>
    isWildcard(entry) ? null : 'has an entry without * at its beginning or end',
  ).meta({ description: 'The same with a leading or trailing *.' }),
  excludeAuthors: entriesIn(TEXT_MAX, authors, authorEntryMax).meta({
    description: 'Comma-separated handles, names or profile links.',
  }),
  isSubReddit: z.boolean().nullable().optional().meta({
    description: 'True is answered 501: use positiveSubreddits of the global filters.',
  }),
  color: z.string().max(50).nullable().optional().meta({ description: 'Taken from older clients and not kept.' }),
}

export const tagIn = z.enum(TAGS)

type KeywordInputFields = z.output<z.ZodObject<typeof keywordInput>>

/** What cannot be kept of an input, by name. */
export function refusedOf({
  symbolSensitive,
  platforms,
  isSubReddit,
}: KeywordInputFields): Refusal<'feature_disabled'> | null {
  if (symbolSensitive === false)
    return refuse('feature_disabled', 'symbolSensitive: false is not available; terms match as whole phrases.')
  if (isSubReddit === true)
    return refuse('feature_disabled', 'isSubReddit is not available; use positiveSubreddits of /filters/global.')
  const missing = (platforms ?? []).filter(isUncollected)
  if (missing.length > 0) return refuse('feature_disabled', `platforms: ${missing.join(', ')} is not collected here.`)
  return null
}

/** The rules of matching that an input names; words that are not named stay as they were. */
export function matchingOf(input: KeywordInputFields, excludedBefore: readonly string[]) {
  const { additionalTerms, additionalTermsAndOr, excludeWords, wildcardExcludeWords, excludeAuthors, caseSensitive } =
    input
  const namesWords = excludeWords !== undefined || wildcardExcludeWords !== undefined
  return {
    ...(additionalTerms === undefined ? {} : { requiredTerms: additionalTerms }),
    ...(additionalTermsAndOr === undefined
      ? {}
      : { requiredMode: additionalTermsAndOr ? ('any' as const) : ('all' as const) }),
    ...(namesWords
      ? {
          excludedTerms: [
            ...(excludeWords ?? excludedBefore.filter((term) => !isWildcard(term))),
            ...(wildcardExcludeWords ?? excludedBefore.filter(isWildcard)),
          ],
        }
      : {}),
    ...(excludeAuthors === undefined ? {} : { excludedAuthors: excludeAuthors }),
    ...(caseSensitive === undefined ? {} : { caseSensitive }),
  }
}

/** More words together than a keyword holds. */
export function tooManyWords({ excludedTerms = [] }: { excludedTerms?: readonly string[] }): boolean {
  return excludedTerms.length > terms
}
