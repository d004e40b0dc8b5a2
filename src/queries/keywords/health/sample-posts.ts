import type { Keyword } from '../../../domain/keyword/keyword.ts'
import { noiseAuthorsOf } from '../../../domain/keyword/suggestions/noise-authors.ts'
import { liftOf, noiseTermsOf } from '../../../domain/keyword/suggestions/noise-terms.ts'
import { noisyPlatformsOf } from '../../../domain/keyword/suggestions/noisy-platforms.ts'
import { suggestionsOf } from '../../../domain/keyword/suggestions/suggestion.ts'
import { withSharedPhrases } from '../../../domain/keyword/suggestions/terms.ts'
import { MENTION } from '../../../domain/wallet/prices.ts'
import { inTurns } from '../../../kernel/concurrency/steps.ts'
import { units } from '../../../kernel/money.ts'
import { tokens } from '../../../matching/index.ts'
import { createReplay } from './replay.ts'
import { type readSample, type SampledPost, splitOfStored } from './sample.ts'
import type { WindowCounts } from './window.ts'

const NOISE_TERMS_MOST = 10

export type StoredSample = Awaited<ReturnType<typeof readSample>>
export type SampledPosts = Awaited<ReturnType<typeof samplePosts>>

/** Evidence from the posts that the present rules still admit; other posts say nothing about further changes. */
export async function samplePosts(keyword: Keyword, counts: WindowCounts, stored: StoredSample, metered: boolean) {
  const replayOf = (some: readonly SampledPost[]) =>
    createReplay(
      keyword,
      some.map(({ searched }) => searched),
    )
  const admits = await inTurns(replayOf(stored.posts)({}))
  const posts = stored.posts.filter((_, at) => admits[at])
  const evidence = await inTurns(withSharedPhrases(posts.map((post) => post.evidence)))
  const [sample, read] = [splitOfStored(posts), splitOfStored(stored.posts)]
  const share = (sort: 'noise' | 'relevant') => (read[sort] === 0 ? 0 : sample[sort] / read[sort])
  const termWords = tokens(keyword.term)
  const ground = {
    termWords,
    rules: keyword,
    posts: evidence,
    replay: replayOf(posts),
    window: {
      noise: share('noise') * (counts.scored - counts.relevant),
      relevant: share('relevant') * counts.relevant,
    },
    exact: stored.whole,
    price: metered ? MENTION : units(0),
  }
  const noiseTerms = await inTurns(noiseTermsOf(evidence, termWords, NOISE_TERMS_MOST))
  return {
    posts,
    sample,
    noiseTerms: noiseTerms.map(({ phrase, noise, relevant }) => ({
      term: phrase.text,
      noisePosts: noise,
      relevantPosts: relevant,
      lift: liftOf({ noise, relevant }, sample),
    })),
    noiseAuthors: noiseAuthorsOf(evidence),
    noisyPlatforms: noisyPlatformsOf(evidence),
    suggestions: await inTurns(suggestionsOf(ground)),
  }
}
