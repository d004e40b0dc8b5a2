import type { Steps } from '../../../kernel/concurrency/steps.ts'
import { toCents, type Units, units } from '../../../kernel/money.ts'
import { cleanLine, excerpt } from '../../../kernel/text.ts'
import { SEARCH_PLATFORMS } from '../../platform/platforms.ts'
import { KEYWORD_LIMITS } from '../keyword.ts'
import {
  RELEVANT_LOSS_MAX,
  type Replay,
  type Rules,
  type RulesPatch,
  type SamplePost,
  type Split,
  splitOf,
} from './evidence.ts'
import { noiseAuthorsOf } from './noise-authors.ts'
import { termsToExclude } from './noise-terms.ts'
import { noisyPlatformsOf } from './noisy-platforms.ts'
import { termsToRequire } from './required-terms.ts'

export const SUGGESTION_TYPES = [
  'excluded_terms',
  'excluded_authors',
  'required_terms',
  'platforms',
  'context',
] as const
export type SuggestionType = (typeof SUGGESTION_TYPES)[number]

export interface Suggestion {
  type: SuggestionType
  values: string[]
  why: string
  /** A valid body to change the keyword. */
  patch: RulesPatch & { context?: string }
  effect: SuggestionEffect | null
  source: 'rules' | 'ai'
}

export interface SuggestionEffect {
  /** Estimated for the window. */
  noiseRemoved: number
  relevantRemoved: number
  centsSaved: number
  sample: { noiseRemoved: number; noise: number; relevantRemoved: number; relevant: number }
  exact: boolean
}

export interface SuggestionGround {
  termWords: readonly string[]
  rules: Rules
  /** May lack phrases that only one post contains. */
  posts: readonly SamplePost[]
  replay: Replay
  window: Split
  exact: boolean
  price: Units
}

/** Nobody reads a longer list. */
const TERMS_MOST = 30
const NOISE_REMOVED_LEAST = 3

/**
 * Most noise first. One of each type, because each patch replaces a whole list. None costs more than a twentieth of the
 * sample's relevant posts.
 */
export function* suggestionsOf(ground: SuggestionGround): Steps<Suggestion[]> {
  const sample = splitOf(ground.posts)
  if (sample.noise < NOISE_REMOVED_LEAST) return []
  return [
    yield* excludeTerms(ground),
    yield* excludeAuthors(ground),
    yield* requireTerms(ground),
    yield* leaveOutPlatforms(ground),
  ]
    .filter((suggestion) => suggestion !== null)
    .sort((a, b) => (b.effect?.noiseRemoved ?? 0) - (a.effect?.noiseRemoved ?? 0))
}

function* excludeTerms(ground: SuggestionGround): Steps<Suggestion | null> {
  const current = ground.rules.matching.excludedTerms
  let values = yield* termsToExclude(
    ground.posts,
    ground.termWords,
    Math.min(TERMS_MOST, KEYWORD_LIMITS.terms - current.length),
  )
  // The matcher also reads author names; when that costs too much, the less useful half is dropped.
  while (values.length > 0) {
    const made = yield* suggestion(
      ground,
      'excluded_terms',
      values,
      { matching: { excludedTerms: [...current, ...values] } },
      ({ sample }) => {
        const subject =
          values.length === 1 ? `The term “${values[0]}” occurs` : `One of these ${values.length} terms occurs`
        return (
          `${subject} in ${sample.noiseRemoved} of the ${sample.noise} sampled noise posts and in ` +
          `${sample.relevantRemoved} of the ${sample.relevant} relevant ones.`
        )
      },
    )
    if (made !== null) return made
    values = values.slice(0, Math.floor(values.length / 2))
  }
  return null
}

function* excludeAuthors(ground: SuggestionGround): Steps<Suggestion | null> {
  const current = ground.rules.matching.excludedAuthors
  const authors = noiseAuthorsOf(ground.posts).slice(0, KEYWORD_LIMITS.authors - current.length)
  const values = authors.map(({ entry }) => entry)
  return yield* suggestion(
    ground,
    'excluded_authors',
    values,
    { matching: { excludedAuthors: [...current, ...values] } },
    ({ sample }) => {
      const whose = authors.length === 1 ? quoted(authors[0]!.name) : `these ${authors.length} authors`
      return `All ${sample.noiseRemoved} sampled posts by ${whose} are noise.`
    },
  )
}

/** A stranger's name cannot close the quotation marks or hide characters. */
function quoted(name: string): string {
  const plain = cleanLine(name.replace(/["“”„‟«»＂]/gu, "'").replace(/\p{Cf}/gu, ''))
  return `“${excerpt(plain, 80)}”`
}

/** Stored posts cannot show what another list would admit. */
function* requireTerms(ground: SuggestionGround): Steps<Suggestion | null> {
  if (ground.rules.matching.requiredTerms.length > 0) return null
  const values = yield* termsToRequire(ground.posts, ground.termWords)
  return yield* suggestion(
    ground,
    'required_terms',
    values,
    { matching: { requiredTerms: values, requiredMode: 'any' } },
    ({ sample }) => {
      const [relevant, noise] = [sample.relevant - sample.relevantRemoved, sample.noise - sample.noiseRemoved]
      return (
        `${relevant} of the ${sample.relevant} sampled relevant posts hold ` +
        `${values.length === 1 ? 'this term' : 'one of these terms'}, and only ${noise} of the ${sample.noise} ` +
        'noise posts do.'
      )
    },
  )
}

function* leaveOutPlatforms(ground: SuggestionGround): Steps<Suggestion | null> {
  const values = noisyPlatformsOf(ground.posts)
  const platforms = (ground.rules.platforms ?? SEARCH_PLATFORMS).filter((platform) => !values.includes(platform))
  const stays = ground.posts.some(({ relevant, platform }) => relevant && !values.some((value) => value === platform))
  if (platforms.length === 0 || !stays) return null
  return yield* suggestion(ground, 'platforms', values, { platforms }, ({ sample }) => {
    const relevant =
      sample.relevantRemoved === 0
        ? 'none is relevant'
        : `only ${sample.relevantRemoved} ${sample.relevantRemoved === 1 ? 'is' : 'are'} relevant`
    const seen = sample.noiseRemoved + sample.relevantRemoved
    return `Of the ${seen} sampled posts on ${values.join(', ')}, ${relevant}.`
  })
}

function* suggestion(
  ground: SuggestionGround,
  type: SuggestionType,
  values: string[],
  patch: RulesPatch,
  why: (effect: SuggestionEffect) => string,
): Steps<Suggestion | null> {
  if (values.length === 0) return null
  const effect = yield* effectOf(ground, patch)
  const { sample } = effect
  if (sample.noiseRemoved < NOISE_REMOVED_LEAST || sample.relevantRemoved > RELEVANT_LOSS_MAX * sample.relevant)
    return null
  return { type, values, why: why(effect), patch, effect, source: 'rules' }
}

export function* effectOf(
  { posts, replay, window, exact, price }: Pick<SuggestionGround, 'posts' | 'replay' | 'window' | 'exact' | 'price'>,
  patch: RulesPatch,
): Steps<SuggestionEffect> {
  const kept = yield* replay(patch)
  const removed = splitOf(posts.filter((_, at) => !kept[at]))
  const all = splitOf(posts)
  const scaled = (sort: keyof Split) =>
    exact || all[sort] === 0 ? removed[sort] : Math.round((removed[sort] / all[sort]) * window[sort])
  const [noiseRemoved, relevantRemoved] = [scaled('noise'), scaled('relevant')]
  return {
    noiseRemoved,
    relevantRemoved,
    centsSaved: toCents(units((noiseRemoved + relevantRemoved) * price)),
    sample: {
      noiseRemoved: removed.noise,
      noise: all.noise,
      relevantRemoved: removed.relevant,
      relevant: all.relevant,
    },
    exact,
  }
}
