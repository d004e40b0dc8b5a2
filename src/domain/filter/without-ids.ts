import {
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterName,
  type FilterValue,
  type MentionFilter,
} from './fields.ts'

/**
 * A list that loses its last id stays empty and matches nothing: a rule that named only deleted ids must not match
 * everything.
 */
export function withoutIds(filter: MentionFilter, ids: ReadonlySet<string>): MentionFilter {
  const rest = groupWithout(filter, ids)
  return filter.anyOf === undefined ? rest : { ...rest, anyOf: filter.anyOf.map((group) => groupWithout(group, ids)) }
}

function groupWithout(group: FilterGroup, ids: ReadonlySet<string>): FilterGroup {
  const entries = FILTER_NAMES.flatMap((name): [FilterName, FilterValue][] => {
    const value = group[name]
    if (value === undefined) return []
    const { form } = FILTER_FIELDS[name]
    const holdsIds = form.form === 'list' && form.of === 'id'
    return [[name, holdsIds ? (value as readonly string[]).filter((id) => !ids.has(id)) : value]]
  })
  return Object.fromEntries(entries)
}
