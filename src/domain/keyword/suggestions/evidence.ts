import type { Steps } from '../../../kernel/concurrency/steps.ts'
import type { Platform, SearchPlatform } from '../../platform/platforms.ts'
import type { Matching } from '../keyword.ts'
import type { SuggestedPhrase } from './phrases.ts'

export interface SamplePost {
  relevant: boolean
  platform: Platform
  phrases: ReadonlyMap<string, SuggestedPhrase>
  /** Null when no list entry can name the author. */
  author: SampleAuthor | null
}

export interface SampleAuthor {
  /** The same for all posts of the author. */
  entry: string
  name: string
}

export interface Rules {
  matching: Matching
  platforms: readonly SearchPlatform[] | null
}

/** A body of `PATCH /v1/keywords/{id}`. */
export interface RulesPatch {
  matching?: {
    excludedTerms?: string[]
    excludedAuthors?: string[]
    requiredTerms?: string[]
    requiredMode?: 'any' | 'all'
  }
  platforms?: SearchPlatform[]
}

/** By the real matcher, in the sample's order. */
export type Replay = (patch: RulesPatch) => Steps<readonly boolean[]>

export interface Split {
  noise: number
  relevant: number
}

export function splitOf(posts: readonly SamplePost[]): Split {
  const relevant = posts.filter((post) => post.relevant).length
  return { noise: posts.length - relevant, relevant }
}

/** Share of the sample's relevant posts. */
export const RELEVANT_LOSS_MAX = 0.05
