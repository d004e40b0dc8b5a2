import { XMLParser } from 'fast-xml-parser'
import { type CollectContext, SourceFault, type SourceReply } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { faultOfStatus, readJson } from '../reply-fault.ts'
import { jsonEntry, jsonFeed, rowEntry, rowList, type StoreReview, xmlEntry, xmlFeed } from './wire.ts'

export const HOST = 'itunes.apple.com'
export const PAGE_SIZE = 50

export interface App {
  id: string
  country: string
}

export interface FeedForm {
  name: string
  /** False if undocumented: its faults do not count if another form answers. */
  dependable: boolean
  ask(context: CollectContext, app: App, page: number): Promise<SourceReply>
  read(reply: SourceReply, context: CollectContext): StoreReview[]
}

const feedAddress = ({ country, id }: App, page: number, kind: string) => {
  const reviews = `page=${page}/id=${encodeURIComponent(id)}/sortby=mostrecent`
  return `https://${HOST}/${encodeURIComponent(country)}/rss/customerreviews/${reviews}/${kind}`
}

const xml: FeedForm = {
  name: 'xml',
  dependable: true,
  ask: (context, app, page) => context.fetch(feedAddress(app, page, 'xml'), { cost: { requests: 1 } }),
  read(reply, context) {
    refuse(reply, context.at)
    const parsed = xmlFeed.safeParse(parseXml(reply.body))
    if (!parsed.success)
      throw new SourceFault('shape_changed', 'the reply is no feed of reviews', { cause: parsed.error })
    return readItems(parsed.data.feed.entry.filter(isNotTheApp), xmlEntry, context, 'appstore')
  },
}

const json: FeedForm = {
  name: 'json',
  dependable: true,
  ask: (context, app, page) => context.fetch(feedAddress(app, page, 'json'), { cost: { requests: 1 } }),
  read(reply, context) {
    refuse(reply, context.at)
    return readItems(
      readJson(reply, jsonFeed, context.at).feed.entry.filter(isNotTheApp),
      jsonEntry,
      context,
      'appstore',
    )
  },
}

const row: FeedForm = {
  name: 'row',
  dependable: false,
  ask: (context, app, page) => askRow(context, app, (page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  read: readRow,
}

/** In order of preference: XML is the most stable. Any form may be empty although there are reviews. */
export const FORMS: readonly FeedForm[] = [xml, json, row]

/** The store sends a web page to user agents that do not begin with the store program's name, so ours follows it. */
export function askRow(context: CollectContext, { id, country }: App, from: number, to: number): Promise<SourceReply> {
  const url = new URL(`https://${HOST}/WebObjects/MZStore.woa/wa/userReviewsRow`)
  const query = { id, 'displayable-kind': '11', startIndex: String(from), endIndex: String(to), sort: '0', cc: country }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return context.fetch(url.href, {
    headers: { 'user-agent': `iTunes/12.13 (compatible; ${context.userAgent})` },
    cost: { requests: 1 },
  })
}

export function readRow(reply: SourceReply, context: CollectContext): StoreReview[] {
  refuse(reply, context.at)
  return readItems(readJson(reply, rowList, context.at).userReviewList, rowEntry, context, 'appstore')
}

/** The store sends 403 to addresses that ask too often. */
export function refuse(reply: SourceReply, at: Date): void {
  if (reply.status === 403) throw new SourceFault('throttled', 'the store refuses this address for now')
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (reply.status === 429) throw new TooFast(fault?.retryAfterSeconds ?? null)
  if (fault) throw fault
}

export class TooFast extends SourceFault {
  constructor(retryAfterSeconds: number | null) {
    super('throttled', 'the store asks for fewer requests', { retryAfterSeconds })
    this.name = 'TooFast'
  }
}

/** The first page may begin with the app itself, which has a name and no stars. */
function isNotTheApp(entry: unknown): boolean {
  return !(typeof entry === 'object' && entry !== null && 'im:name' in entry && !('im:rating' in entry))
}

// XML

/** Fifty reviews of 6,000 characters, sent twice, stay below this. Parsing time is linear. */
const MAX_FEED_CHARACTERS = 1_000_000
const PARSER = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  maxNestedTags: 20,
  isArray: (name: string) => name === 'entry' || name === 'content',
  // Numeric entities are decoded only together with HTML's, a fixed table of single characters.
  htmlEntities: true,
  // Allows a single own entity of one character, so that none can expand.
  processEntities: { maxEntityCount: 1, maxEntitySize: 1 },
}

/** The parser accepts a truncated feed, so its end is checked first. */
function parseXml(body: string): unknown {
  if (body.length > MAX_FEED_CHARACTERS)
    throw new SourceFault('shape_changed', `the feed is absurdly large (${body.length} characters)`)
  if (!body.trimEnd().endsWith('</feed>'))
    throw new SourceFault('shape_changed', `the reply is no whole feed (${body.length} characters)`)
  try {
    return new XMLParser(PARSER).parse(body)
  } catch (cause) {
    throw new SourceFault('shape_changed', 'the reply is no XML', { cause })
  }
}
