import { SEARCH_PLATFORMS, type SearchPlatform } from '../../platform/platforms.ts'
import { type SamplePost, splitOf } from './evidence.ts'

/** Posts of noise by which a platform can be judged. */
const NOISE_LEAST = 10
/** The share of relevant posts up to which a platform brings almost only noise. */
const RELEVANT_SHARE_MAX = 0.05

/** The searched platforms that bring almost only noise, in the usual order. */
export function noisyPlatformsOf(posts: readonly SamplePost[]): SearchPlatform[] {
  return SEARCH_PLATFORMS.filter((platform) => {
    const { noise, relevant } = splitOf(posts.filter((post) => post.platform === platform))
    return noise >= NOISE_LEAST && relevant <= RELEVANT_SHARE_MAX * (noise + relevant)
  })
}
