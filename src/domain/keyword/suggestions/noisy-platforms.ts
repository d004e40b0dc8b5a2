import { SEARCH_PLATFORMS, type SearchPlatform } from '../../platform/platforms.ts'
import { type SamplePost, splitOf } from './evidence.ts'

const NOISE_LEAST = 10
const RELEVANT_SHARE_MAX = 0.05

export function noisyPlatformsOf(posts: readonly SamplePost[]): SearchPlatform[] {
  return SEARCH_PLATFORMS.filter((platform) => {
    const { noise, relevant } = splitOf(posts.filter((post) => post.platform === platform))
    return noise >= NOISE_LEAST && relevant <= RELEVANT_SHARE_MAX * (noise + relevant)
  })
}
