import type { FilterField } from '../../domain/filter/field.ts'
import {
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterValue,
  type MentionFilter,
} from '../../domain/filter/fields.ts'
import { listOf } from '../../domain/filter/predicate.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'

/** A stored filter with its ids in the form of the API. */
export function filterToApi({ anyOf, ...conditions }: MentionFilter): MentionFilter {
  const shown = groupToApi(conditions)
  return anyOf === undefined ? shown : { ...shown, anyOf: anyOf.map(groupToApi) }
}

function groupToApi(group: FilterGroup): FilterGroup {
  const shown: Record<string, FilterValue> = {}
  for (const name of FILTER_NAMES) {
    const value = group[name]
    if (value !== undefined) shown[name] = valueToApi(FILTER_FIELDS[name], value)
  }
  return shown
}

function valueToApi({ form }: FilterField, value: FilterValue): FilterValue {
  if (form.form !== 'list' || form.of !== 'id') return value
  return listOf(value).map((id) => toId(form.prefix, id as Uuid))
}
