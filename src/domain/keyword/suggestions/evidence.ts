import type { Platform, SearchPlatform } from '../../platform/platforms.ts'
import type { Matching } from '../keyword.ts'
import type { Phrase } from './phrases.ts'
import type { Steps } from './steps.ts'

export interface SamplePost {
  relevant: boolean
  platform: Platform
  /** Phrases of title and text, by their text. */
  phrases: ReadonlyMap<string, Phrase>
  /** Null when no entry of a list of authors can name the author. */
  author: SampleAuthor | null
}

export interface SampleAuthor {
  /** The author as an entry of `excludedAuthors`, the same for all of their posts. */
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

/** Whether the rules with the patch would admit each post of the sample, in order, by the real matcher. */
export type Replay = (patch: RulesPatch) => Steps<readonly boolean[]>

export interface Split {
  noise: number
  relevant: number
}

export function splitOf(posts: readonly SamplePost[]): Split {
  const relevant = posts.filter((post) => post.relevant).length
  return { noise: posts.length - relevant, relevant }
}

/** A suggestion may cost at most this share of the sample's relevant posts. */
export const RELEVANT_LOSS_MAX = 0.05
