import { type Row, tenthOf } from '../train/data.ts'
import { TRAINED_SETS } from '../train/trained.ts'
import type { Judge, JudgeFor } from './report.ts'

/**
 * Whether rows of the set are judged by weights that have not seen their tenth. The terms of relevance_reddit are kept
 * apart in a way of their own, and so are those of mentions_gold.
 */
export function isJudgedApart(set: string): boolean {
  return TRAINED_SETS.has(set) && !JUDGED_BY_TERM.has(set)
}

/** All rows of a set, or those of the tenths for which there is a judge that has not seen them. */
export function judgedRows(set: string, rows: readonly Row[], tenths: number): readonly Row[] {
  return isJudgedApart(set) ? rows.filter((row) => tenthOf(set, row) < tenths) : rows
}

/** `apart` stand in the order of the tenths that they have not seen. */
export function judgesApart(shipped: Judge, apart: readonly Judge[]): JudgeFor {
  return (set, row) => (isJudgedApart(set) ? apart[tenthOf(set, row)]! : shipped)
}

const JUDGED_BY_TERM: ReadonlySet<string> = new Set(['relevance_reddit', 'mentions_gold'])
