export interface TermFlow {
  sampled: number
  holding: number
  /** Null when the feeds were read too briefly. */
  postsPerDay: number | null
  /** Words beside a one-word term: posts with both, and posts with the word. */
  companions: { word: string; together: number; overall: number }[]
}

export const HINT_CODES = ['common_word', 'common_phrase', 'many_posts'] as const

export interface KeywordHint {
  code: (typeof HINT_CODES)[number]
  message: string
  suggestedContext?: string
  /** The team's own words first. */
  requiredTerms?: string[]
}

/** A common word occurs in one of `commonInOneOf` posts. */
export const HINT_RULE = {
  sampledAtLeast: 2000,
  holdingAtLeast: 5,
  commonInOneOf: 2000,
  manyPerDay: 500,
  companions: 5,
  liftAtLeast: 3,
  togetherAtLeast: 3,
} as const

/** Terms of up to two words are counted. `ownWords` are the folded words of the company profile. */
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
    `“${term}” occurs in ${figure(holding)} of ${figure(sampled)} posts that were sampled lately from the feeds ` +
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

function figure(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
