import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import {
  type ConformanceFixture,
  describeSource,
  type ServedReply,
  type ServedRequest,
  type Stage,
  searching,
} from '../conformance.suite.ts'
import type { CollectContext, Cost, SearchQuery, SearchSource, SourceRequest } from '../contract.ts'
import type { ProvidedOptions } from './provider.ts'

export const SCRAPECREATORS: ProvidedOptions = {
  provider: 'scrapecreators',
  key: 'key-1',
  creditMicroUsd: 2000,
  dailyMicroUsd: 2_000_000,
}
export const APIFY: ProvidedOptions = {
  provider: 'apify',
  token: 'token-1',
  actor: 'somebody/some-actor',
  dailyMicroUsd: 2_000_000,
}
export const AT = new Date('2026-11-21T12:00:00Z')
const HALF_A_DAY_MS = 43_200_000

/** What differs between platforms. */
export interface ProvidedFixture extends Pick<ConformanceFixture, 'nativeIdPattern' | 'urlPattern'> {
  open(options: ProvidedOptions): SearchSource
  /** The adapter's folder with recorded/scrapecreators and recorded/apify. */
  folder: string
  /** The reply of ScrapeCreators from the stage's recordings. */
  answer(request: ServedRequest, recorded: never): unknown
  /** Native ids in order of time. */
  expected: Record<'scrapecreators' | 'apify', Record<'ordinary' | 'later', string[]>>
}

export function recordedIn(folder: string, name: string): never {
  return JSON.parse(readFileSync(join(folder, 'recorded', `${name}.json`), 'utf8')) as never
}

/** Runs the sources' conformance suite through each provider. */
export function describeProvided(name: string, { open, folder, answer, expected, ...patterns }: ProvidedFixture): void {
  const fixture = (
    provider: 'scrapecreators' | 'apify',
    options: ProvidedOptions,
    replies: (request: ServedRequest, stage: Stage) => ServedReply,
  ) => {
    const labelled = (ids: string[]) => ids.map((id) => `post ${id}`)
    return {
      ...patterns,
      open: () => searching(open(options), ['Acme Notes']),
      at: { ordinary: AT, later: new Date(AT.getTime() + HALF_A_DAY_MS) },
      serves: { replies },
      refusals: recordedIn(import.meta.dirname, `${provider}-refusals`),
      throttledForSeconds: 7,
      expected: { ordinary: labelled(expected[provider].ordinary), later: labelled(expected[provider].later) },
    }
  }
  const found = (request: ServedRequest, stage: Stage) => ({
    body: JSON.stringify(answer(request, recordedIn(folder, `scrapecreators/${stage}`))),
  })
  const ran = ({ method }: ServedRequest, stage: Stage) =>
    method === 'POST'
      ? { status: 201, body: JSON.stringify(recordedIn(folder, `apify/${stage}`)) }
      : { body: JSON.stringify({ data: { items: [] } }) }
  describeSource(`${name} through ScrapeCreators`, fixture('scrapecreators', SCRAPECREATORS, found))
  describeSource(`${name} through Apify`, fixture('apify', APIFY, ran))
}

export interface Asked {
  url: URL
  init: SourceRequest
}

/** A context with scripted replies that records requests and costs. An Error as reply fails the request. */
export function scripted(answer: (asked: Asked) => ServedReply | Error): {
  context: CollectContext
  asked: Asked[]
  spent: Cost[]
} {
  const asked: Asked[] = []
  const spent: Cost[] = []
  const context: CollectContext = {
    ...BARE_CONTEXT,
    userAgent: 'test/1',
    at: AT,
    spend: (cost) => spent.push(cost),
    async fetch(address, init = {}) {
      const item = { url: new URL(address), init }
      asked.push(item)
      const reply = answer(item)
      if (reply instanceof Error) throw reply
      return { status: reply.status ?? 200, headers: reply.headers ?? {}, body: reply.body }
    },
  }
  return { context, asked, spent }
}

export function daysAgo(days: number): Date {
  return new Date(AT.getTime() - days * 86_400_000)
}

export async function postsOf(
  source: SearchSource,
  context: CollectContext,
  query: Partial<SearchQuery> = {},
): Promise<Post[]> {
  const posts: Post[] = []
  for await (const portion of source.searching.search(context, {
    terms: ['Acme Notes'],
    since: daysAgo(30),
    limit: 1000,
    ...query,
  }))
    posts.push(...portion)
  return posts
}
