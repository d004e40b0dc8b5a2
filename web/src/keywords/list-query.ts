import type { KeywordListQuery } from '../api/keywords.ts'

export const STATUSES = ['active', 'muted', 'paused', 'capped'] as const
export type Status = (typeof STATUSES)[number]

export const SORTS = ['newest', 'oldest', 'term', 'mentions', 'relevant', 'recent', 'lastMention'] as const
export type Sort = (typeof SORTS)[number]

/** What the list shows, as it stands in the address by the names of the API. */
export interface ListQuery {
  q: string
  status: Status[]
  groupId: string | null
  sort: Sort
}

export function listQueryIn(params: URLSearchParams): ListQuery {
  const named = new Set((params.get('status') ?? '').split(','))
  return {
    q: params.get('q') ?? '',
    status: STATUSES.filter((status) => named.has(status)),
    groupId: params.get('groupId'),
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'newest',
  }
}

/** Defaults do not stand in the address. */
export function listHref({ q, status, groupId, sort }: ListQuery): string {
  const params = new URLSearchParams()
  if (q !== '') params.set('q', q)
  if (status.length > 0) params.set('status', status.join(','))
  if (groupId !== null) params.set('groupId', groupId)
  if (sort !== 'newest') params.set('sort', sort)
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '/keywords' : `/keywords?${text}`
}

export function requestOf({ q, status, groupId, sort }: ListQuery): KeywordListQuery {
  return {
    sort,
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(status.length === 0 ? {} : { status }),
    ...(groupId === null ? {} : { groupId: [groupId] }),
  }
}

export function isFiltered({ q, status, groupId }: ListQuery): boolean {
  return q.trim() !== '' || status.length > 0 || groupId !== null
}
