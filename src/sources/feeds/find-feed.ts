import { load } from 'cheerio'
import { canParse } from '../../kernel/can-parse.ts'
import { placeAddress } from '../place-address.ts'

const FEED_TYPE = /^application\/(?:rss\+xml|atom\+xml|feed\+json|rdf\+xml)$/i
/** The head of a page stands at its beginning. */
const HEAD_UNITS = 262_144
const MOST_LINKED = 5

/** The feeds that a page says it has, in its order, without those of comments. */
export function feedsLinkedFrom(html: string, pageAddress: string): string[] {
  const head = headOf(html)
  // Most replies that are no feed name none, and building a tree of a hostile one takes seconds.
  if (!/<link\b/i.test(head)) return []
  const page = load(head)
  const base = page('base[href]').first().attr('href') ?? ''
  const against = canParse(base, pageAddress) ? new URL(base, pageAddress).href : pageAddress
  const found = new Set<string>()
  for (const link of page('link[rel~="alternate" i][href]').toArray().slice(0, 50)) {
    const { href = '', type = '', title = '' } = link.attribs
    if (!FEED_TYPE.test(type.trim()) || !canParse(href, against)) continue
    const address = linkedAddress(new URL(href, against), pageAddress)
    if (address !== null && !/comments?\b/i.test(`${title} ${href}`)) found.add(address)
  }
  return [...found].slice(0, MOST_LINKED)
}

/** Pages that have moved to https often still name their feed by http. */
function linkedAddress(url: URL, pageAddress: string): string | null {
  return placeAddress(pageAddress.startsWith('https:') ? url.href.replace(/^http:/, 'https:') : url.href)
}

function headOf(html: string): string {
  const begin = html.slice(0, HEAD_UNITS)
  const end = begin.search(/<\/head\b|<body\b/i)
  return end === -1 ? begin : begin.slice(0, end)
}
