import { type BreakdownQuery, getMentionBreakdown } from '../../api/analytics.ts'
import { daysOf } from './month.ts'

/** Keywords that the analytics list at most. */
const ROWS = 100

/** Relevant mentions of a month by keyword id. Keywords without a mention and those beyond a hundred are missing. */
export async function relevantIn(
  month: string,
  conditions: Pick<BreakdownQuery, 'keywordIds'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const query = { ...conditions, ...daysOf(month, Date.now()), by: 'keyword' as const, limit: ROWS }
  const { data } = await getMentionBreakdown(query, signal)
  return new Map(data.flatMap(({ key, relevant }) => (key === null ? [] : [[key, relevant] as const])))
}

/** Cents for each relevant mention; null where there is none, because their price is then unknown. */
export function centsPerRelevant(cents: number, relevant: number): number | null {
  return relevant === 0 ? null : cents / relevant
}
