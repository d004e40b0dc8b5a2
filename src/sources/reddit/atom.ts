import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { SourceFault, type SourceReply } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { faultOfStatus } from '../reply-fault.ts'
import { pageFrom, type Route } from './route.ts'
import { fromEntry, unescaped } from './to-post.ts'
import { type Entry, entry } from './wire.ts'

const HOST = 'www.reddit.com'
/** About ten requests a minute work per address; they do not arrive evenly. */
const REQUESTS_PER_MINUTE = 8

export interface AtomOptions {
  userAgent: string
}

/** 100 posts have about 300,000 characters; a far larger body is slow to parse. */
const MOST_CHARACTERS = 2_000_000
const MOST_ENTRIES = 200

const ABOUT_THE_FEED = new Set([
  'category',
  'updated',
  'icon',
  'id',
  'link',
  'logo',
  'subtitle',
  'title',
  'author',
  'generator',
  'rights',
  '#text',
])

/** `unescaped` decodes values; the document's own entities stay. */
const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: 30,
  isArray: (name) => name === 'entry',
})

export function atomRoute({ userAgent }: AtomOptions): Route {
  return {
    hosts: [HOST],
    limits: [{ quota: 'requests', kind: 'paced', most: REQUESTS_PER_MINUTE, perSeconds: 60, burst: 1 }],
    mostPages: 1,
    async page(context, { query, span }) {
      const search = new URLSearchParams({ q: query, sort: 'new', t: span, type: 'link', limit: '100' })
      const url = `https://${HOST}/search.rss?${search}`
      const reply = await context.fetch(url, { headers: { 'user-agent': userAgent }, cost: { requests: 1 } })
      const entries = readItems(entriesOf(reply, context.at), entry, context, 'reddit').filter(({ id }) =>
        id.startsWith('t3_'),
      )
      return pageFrom(
        entries.map((entry) => fromEntry(entry, context.at)),
        entries.map(timeOf).filter((ms) => !Number.isNaN(ms)),
        null,
      )
    },
  }
}

function timeOf({ published }: Entry): number {
  return Date.parse(unescaped(published))
}

function entriesOf(reply: SourceReply, at: Date): unknown[] {
  const { entry: entries = [], ...rest } = feedOf(reply, at)
  const unknown = Object.keys(rest).find((name) => !name.startsWith('@') && !ABOUT_THE_FEED.has(name))
  // No entries but unknown elements means that results were renamed.
  if (entries.length === 0 && unknown !== undefined)
    throw new SourceFault('shape_changed', `the feed holds ${unknown.slice(0, 40)} in place of entries`)
  return entries.slice(0, MOST_ENTRIES)
}

/** A body that is no complete feed is 'shape_changed'. */
function feedOf(reply: SourceReply, at: Date): { entry?: unknown[] } {
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (fault?.kind === 'credentials')
    throw new SourceFault(
      'credentials',
      'Reddit does not give its public feeds to this address; another route is needed',
    )
  if (fault) throw fault
  if (reply.body.length > MOST_CHARACTERS)
    throw new SourceFault('shape_changed', `the feed has ${reply.body.length} characters`)
  if (!reply.body.trimEnd().endsWith('</feed>'))
    throw new SourceFault('shape_changed', `the reply is no whole feed (${reply.body.length} characters)`)
  const feed = parsed(reply.body)?.['feed']
  if (feed === null || typeof feed !== 'object') throw new SourceFault('shape_changed', 'the reply holds no feed')
  return feed
}

function parsed(body: string): Record<string, unknown> | null {
  // The parser accepts misplaced elements.
  if (XMLValidator.validate(body) !== true) throw new SourceFault('shape_changed', 'the reply is no XML')
  try {
    return xml.parse(body) as Record<string, unknown> | null
  } catch (cause) {
    throw new SourceFault('shape_changed', 'the reply is no XML', { cause })
  }
}
