import type { OfflineJudgement } from '../../../src/classify/offline/judge.ts'
import type { Platform } from '../../../src/domain/platform/platforms.ts'
import type { Row } from '../../train/data.ts'

/** A figure of a set: what it has to reach, and how others do. */
export interface Target {
  /** Path in the figures, see `figureAt`. */
  path: string
  name: string
  must?: number
  stretch?: number
  /** What others reach, on the holdout unless told otherwise. */
  peers?: string
}

export interface EvaluatedSet {
  name: string
  group: 'sentiment' | 'intents' | 'relevance' | 'automated' | 'language'
  /** What the set's labels were compared with, in words. */
  mapping: string
  platformOf(row: Row): Platform
  /** The keyword of the row; a term that does not stand in the text where the set names none. */
  keywordOf?(row: Row): { term: string; kind?: 'brand' | 'topic'; context?: string }
  /** The stars of five that the row's task may know; the text alone is judged where this is left out. */
  starsOf?(row: Row): number | null
  titleOf?(row: Row): string | null
  /**
   * To what the row belongs where rows of one kind are judged well or badly together; else every row stands for itself.
   */
  unitOf?(row: Row): string
  /** The row's labels as the judgement gives them. */
  predict(judgement: OfflineJudgement, row: Row): Record<string, unknown>
  targets: readonly Target[]
}

export const on = (platform: Platform) => () => platform
export const entity = (row: Row) => ({ term: String(row.entity) })
export const F1 = 'macro-F1'
/** What the keyword means in the sets about Loom, where a row does not say it. */
export const LOOM = 'Loom, the screen recorder for video messages at work.'
