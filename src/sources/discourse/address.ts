import { rawSegmentsOf } from '../../domain/platform/links.ts'
import { placeAddress } from '../place-address.ts'

/** Where the pages of a forum begin: what stands before belongs to its address. */
const PAGES = new Set([
  't',
  'c',
  'u',
  'g',
  'p',
  'latest',
  'top',
  'new',
  'categories',
  'posts',
  'about',
  'search',
  'tag',
])

/** The address of a forum without a final slash, from any page of it; null if there is none. */
export function forumAddress(text: string): string | null {
  const address = placeAddress(text)
  if (address === null) return null
  const url = new URL(address)
  const segments = rawSegmentsOf(url)
  const page = segments.findIndex((segment) => PAGES.has(segment.replace(/\.json$/, '').toLowerCase()))
  const path = (page === -1 ? segments : segments.slice(0, page)).join('/')
  return `${url.origin}${path === '' ? '' : `/${path}`}`
}
