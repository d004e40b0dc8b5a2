import type { Platform, SearchPlatform } from '../../platform/platforms.ts'
import type { Matching } from '../keyword.ts'
import type { Phrase } from './phrases.ts'
import type { Steps } from './steps.ts'

/** A scored post of the sample, as far as suggestions look at it. */
export interface SamplePost {
  relevant: boolean
  platform: Platform
  /** What stands in its title and text, by the text of each phrase. */
  phrases: ReadonlyMap<string, Phrase>
  /** Who wrote it; null when nobody can be named in a list of authors. */
  author: SampleAuthor | null
}

export interface SampleAuthor {
  /** The author in the form that excluded authors take, the same for all of their posts. */
  entry: string
  /** As people know them. */
  name: string
}

/** The rules of a keyword that suggestions can change. */
export interface Rules {
  matching: Matching
  platforms: readonly SearchPlatform[] | null
}

/** A change of these rules as `PATCH /v1/keywords/{id}` takes it. */
export interface RulesPatch {
  matching?: {
    excludedTerms?: string[]
    excludedAuthors?: string[]
    requiredTerms?: string[]
    requiredMode?: 'any' | 'all'
  }
  platforms?: SearchPlatform[]
}

/**
 * Whether the present rules with the patch would still have admitted each post of the sample, in its order, as the real
 * matcher says.
 */
export type Replay = (patch: RulesPatch) => Steps<readonly boolean[]>

/** Posts of each sort. */
export interface Split {
  noise: number
  relevant: number
}

export function splitOf(posts: readonly SamplePost[]): Split {
  const relevant = posts.filter((post) => post.relevant).length
  return { noise: posts.length - relevant, relevant }
}

/** Of the relevant posts of the sample a suggestion may cost at most this share. */
export const RELEVANT_LOSS_MAX = 0.05
