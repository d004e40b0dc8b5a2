import type { PeopleQuery } from '../api/people.ts'
import type { PeopleFilter } from '../api/segments.ts'
import { type ParamKind, printParams, readParams } from '../app/filter/param-codec.ts'

/** Every condition of people, which segments hold too. */
const FILTER_PARAMS = {
  q: 'text',
  platforms: 'words',
  notPlatforms: 'words',
  tags: 'words',
  notTags: 'words',
  muted: 'flag',
  minFollowers: 'number',
  maxFollowers: 'number',
  minMentions: 'number',
  minNegative: 'number',
  intents: 'words',
  keywordKinds: 'words',
  since: 'text',
} as const satisfies Record<keyof PeopleFilter, ParamKind>

export const SORTS = ['mentions', 'recent', 'reach', 'new', 'name'] as const
export type Sort = (typeof SORTS)[number]

export const PAGE_SIZE = 50

/** What the list shows, as it stands in the address by the names of the API. */
export interface ListQuery {
  filter: PeopleFilter
  segmentId: string | null
  sort: Sort
  offset: number
}

export function filterIn(params: URLSearchParams): PeopleFilter {
  return readParams(FILTER_PARAMS, params) as PeopleFilter
}

export function listQueryIn(params: URLSearchParams): ListQuery {
  const offset = Number(params.get('offset') ?? '0')
  return {
    filter: filterIn(params),
    segmentId: params.get('segmentId'),
    sort: SORTS.find((name) => name === params.get('sort')) ?? 'mentions',
    offset: Number.isInteger(offset) && offset > 0 ? offset : 0,
  }
}

/** Defaults do not stand in the address. */
function printed({ filter, segmentId, sort, offset }: ListQuery): URLSearchParams {
  const params = printParams(FILTER_PARAMS, filter)
  if (segmentId !== null) params.set('segmentId', segmentId)
  if (sort !== 'mentions') params.set('sort', sort)
  if (offset > 0) params.set('offset', String(offset))
  return params
}

export function hrefOf(path: string, query: ListQuery): string {
  const text = printed(query).toString().replaceAll('%2C', ',')
  return text === '' ? path : `${path}?${text}`
}

export function listHref(query: ListQuery): string {
  return hrefOf('/people', query)
}

export function exportHref(query: ListQuery): string {
  return hrefOf('/v1/people/export.csv', { ...query, offset: 0 })
}

export function requestOf({ filter, segmentId, sort, offset }: ListQuery): PeopleQuery {
  return { ...filter, sort, limit: PAGE_SIZE, offset, ...(segmentId === null ? {} : { segmentId }) }
}

export function isFiltered({ filter, segmentId }: Pick<ListQuery, 'filter' | 'segmentId'>): boolean {
  return segmentId !== null || Object.keys(filter).length > 0
}

/** The filter with a condition, or without it where the value is empty. */
export function withCondition<Name extends keyof PeopleFilter>(
  filter: PeopleFilter,
  name: Name,
  value: PeopleFilter[Name] | '' | undefined,
): PeopleFilter {
  const { [name]: _, ...rest } = filter
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? rest : { ...rest, [name]: value }
}
