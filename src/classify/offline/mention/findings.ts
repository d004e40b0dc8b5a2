import type { Platform } from '../../../domain/platform/platforms.ts'
import type { Compared } from '../comparing/comparing.ts'
import type { PreparedKeyword } from '../keyword/keyword.ts'
import type { Relevance } from '../relevance/relevance.ts'
import type { TextReading } from '../text/reading.ts'
import type { Occurrence } from './standings.ts'
import type { ThemeBits } from './themes.ts'
import type { TokenTones } from './token-tones.ts'

/** What the other models found in a post, which the mention layer weighs. */
export interface Findings {
  reading: TextReading
  platform: Platform
  /** Out of five; null without a rating. */
  stars: number | null
  keyword: PreparedKeyword
  /** Of the term; none where the keyword has no context, because the layer then decides nothing. */
  occurrences: readonly Occurrence[]
  relevance: Relevance
  /** In the order of EVIDENCE. */
  evidence: Float64Array
  /** Probabilities of SENTIMENTS by the words. */
  tone: Float64Array
  /** Meaningless where the keyword has no context. */
  tones: TokenTones
  /** As `tones`. */
  themes: ThemeBits
  /** In the order of PURPOSES. */
  purposes: Float64Array
  /** See `signsOf`. */
  signs: Float64Array
  compared: Compared
  automated: boolean
}
