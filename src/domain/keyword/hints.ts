/** How often the words of a term stand in what is read, from a sample of the feeds that are read whole. */
export interface TermFlow {
  /** Posts in the sample. */
  sampled: number
  /** How many of them hold the words of the term, next to each other. */
  holding: number
  /** Posts that these feeds bring a day; null when they were not read for long enough to tell. */
  postsPerDay: number | null
  /** Words that stand beside a term of one word: in how many posts of the sample with it, and in how many in all. */
  companions: { word: string; together: number; overall: number }[]
}

export const HINT_CODES = ['common_word', 'common_phrase', 'many_posts'] as const

/** A word of advice on a new keyword. */
export interface KeywordHint {
  code: (typeof HINT_CODES)[number]
  /** What was found, with the numbers by which it was judged. */
  message: string
  /** A context that tells the classifier which sense is meant; absent when too little is known of the company. */
  suggestedContext?: string
  /** Words that stand beside the term more often than elsewhere; those that the team's own texts hold come first. */
  requiredTerms?: string[]
}

/** What is judged by. A sample of fewer posts says nothing; a word of everyday stands in one of so many posts. */
export const HINT_RULE = {
  sampledAtLeast: 2000,
  holdingAtLeast: 5,
  commonInOneOf: 2000,
  manyPerDay: 500,
  companions: 5,
  liftAtLeast: 3,
  togetherAtLeast: 3,
} as const

/**
 * What can be said of a new term of one or two words; longer ones are not counted. `ownWords` are the folded words of
 * what the team tells of itself.
 */
export function hintsOf(
  term: string,
  words: number,
  flow: TermFlow,
  { company, ownWords }: { company: string; ownWords: ReadonlySet<string> },
): KeywordHint[] {
  const { sampled, holding, postsPerDay } = flow
  if (sampled < HINT_RULE.sampledAtLeast || holding < HINT_RULE.holdingAtLeast) return []
  const perDay = postsPerDay === null ? null : Math.round((postsPerDay * holding) / sampled)
  const isCommon = holding * HINT_RULE.commonInOneOf >= sampled
  if (!isCommon && (perDay ?? 0) < HINT_RULE.manyPerDay) return []
  const measured =
    `“${term}” stands in ${figure(holding)} of ${figure(sampled)} posts that were sampled lately from the feeds ` +
    'that are read whole'
  const rate = perDay === null ? '' : `; at that rate they alone bring about ${figure(perDay)} a day`
  const required = companionsOf(flow, ownWords)
  const common = words === 1 ? 'common_word' : 'common_phrase'
  return [
    {
      code: isCommon ? common : 'many_posts',
      message: `${measured}${rate}. Many of them may mean something else.`,
      ...(company === ''
        ? {}
        : {
            suggestedContext: `Only posts in which “${term}” means that of ${company}, in no other sense.`.slice(
              0,
              300,
            ),
          }),
      ...(required.length === 0 ? {} : { requiredTerms: required }),
    },
  ]
}

function companionsOf({ sampled, holding, companions }: TermFlow, ownWords: ReadonlySet<string>): string[] {
  const liftOf = (item: TermFlow['companions'][number]) =>
    (item.together * sampled) / (holding * Math.max(1, item.overall))
  const weightOf = (item: TermFlow['companions'][number]) =>
    item.together * Math.log(liftOf(item)) * (ownWords.has(item.word) ? 1000 : 1)
  return companions
    .filter(
      (companion) => companion.together >= HINT_RULE.togetherAtLeast && liftOf(companion) >= HINT_RULE.liftAtLeast,
    )
    .sort((a, b) => weightOf(b) - weightOf(a) || (a.word < b.word ? -1 : 1))
    .slice(0, HINT_RULE.companions)
    .map(({ word }) => word)
}

/** 12,345 */
function figure(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
