import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { FILTER_NAMES, type Filter, parseFilter, printFilter, SORTS, type Sort } from '../app/filter/filter-params.ts'

/** What the inbox shows without a filter in its address. */
export const OPEN_FILTER: Filter = { status: ['open'], relevant: true }

export interface InboxAddress {
  viewId: string | null
  filter: Filter
  sort: Sort
  /** The mention that a link opens. */
  linkedId: string | null
  /** The address of the same list with another filter. */
  hrefWith: (filter: Filter, sort?: Sort) => string
  show: (filter: Filter, sort?: Sort) => void
}

/** The state of the inbox in its address, by the names of the API's parameters. */
export function useInboxAddress(viewId: string | null): InboxAddress {
  const search = useSearch()
  const [, navigate] = useLocation()
  const path = viewId === null ? '/inbox' : `/inbox/${viewId}`
  const params = new URLSearchParams(search)
  const filterText = printFilter(parseFilter(params)).toString()
  const isFiltered = FILTER_NAMES.some((name) => params.has(name))
  const filter = useMemo(() => {
    if (!isFiltered && viewId === null) return OPEN_FILTER
    return parseFilter(new URLSearchParams(filterText))
  }, [filterText, isFiltered, viewId])
  const sort = SORTS.find((name) => name === params.get('sort')) ?? 'newest'
  const hrefWith = (wanted: Filter, order: Sort = sort) => {
    const address = printFilter(wanted)
    if (order !== 'newest') address.set('sort', order)
    const text = address.toString()
    return text === '' ? path : `${path}?${text}`
  }
  return {
    viewId,
    filter,
    sort,
    linkedId: params.get('m'),
    hrefWith,
    show: (wanted, order) => navigate(hrefWith(wanted, order)),
  }
}
