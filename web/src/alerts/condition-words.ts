import type { RuleFilter } from '../api/alerts.ts'
import type { FilterParam } from '../app/filter/filter-params.ts'
import { words as filterWords } from '../app/filter/words.ts'
import { words } from './words.ts'

/** A filter in a line, such as "platform reddit · relevance from 70". */
export function conditionsInWords({ anyOf, ...filter }: RuleFilter, names: ReadonlyMap<string, string>): string {
  const parts = (Object.entries(filter) as [FilterParam, unknown][]).map(([param, value]) => {
    const shown = Array.isArray(value) ? value.map((word) => names.get(String(word)) ?? word) : value
    return `${filterWords.param(param)} ${filterWords.chipValue(param, shown)}`
  })
  if (anyOf !== undefined) parts.push(words.alternatives(anyOf.length))
  return parts.length === 0 ? words.everything : words.conditions(parts)
}
