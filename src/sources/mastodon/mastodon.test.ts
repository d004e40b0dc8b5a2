import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import {
  collecting,
  describeSource,
  type ServedEvent,
  type ServedReply,
  type ServedRequest,
} from '../conformance.suite.ts'
import type { CollectContext } from '../contract.ts'
import { normalPost } from '../normal-post.ts'
import { mastodon } from './source.ts'
import type { Status } from './wire.ts'

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.json`), 'utf8')) as Shape
const AT = new Date('2026-11-21T12:00:30Z')
const STREAM = '/api/v1/streaming/public'
const ORDINARY = recorded<{ event: string; data: unknown }[]>('ordinary').map(served)
const LATER = recorded<Status[]>('later')
const CHANGED = recorded<Status[]>('changed')
const ADA = 'https://social.example/users/ada/statuses'
const BORIS = 'https://other.example/users/Boris/statuses'

function served({ event, data }: { event: string; data: unknown }): ServedEvent {
  return { event, data: typeof data === 'string' ? data : JSON.stringify(data) }
}

/** As servers answer: what follows directly behind `min_id`, newest first. */
function pageOf(statuses: readonly Status[], { url }: ServedRequest): ServedReply {
  const after = BigInt(url.searchParams.get('min_id') ?? '0')
  const page = statuses.filter(({ id }) => BigInt(id) > after).slice(0, 40)
  return { body: JSON.stringify(page.reverse()) }
}

const options = { stream: 'https://social.example', servers: ['social.example'] }

describeSource('mastodon', {
  open: (silenceMs) => collecting(mastodon({ ...options, limits: { silenceMs } })),
  at: { ordinary: AT, later: new Date(AT.getTime() + 60_000) },
  serves: {
    streamPath: STREAM,
    events: (_, stage) =>
      ({ ordinary: ORDINARY, later: [], changed: CHANGED.map((data) => served({ event: 'update', data })) })[stage],
    replies: (request, stage) => pageOf({ ordinary: [], later: LATER, changed: CHANGED }[stage], request),
  },
  refusals: recorded<Record<'throttled' | 'unavailable' | 'credentials' | 'gone', ServedReply>>('refusals'),
  throttledForSeconds: 7,
  expected: {
    ordinary: [
      `post ${ADA}/101`,
      `post ${BORIS}/201`,
      'post https://notes.example/users/carla/statuses/301',
      `post ${ADA}/101`,
      `post_gone ${BORIS}/201`,
    ],
    later: [`post ${ADA}/103`, `post ${BORIS}/202`],
  },
  nativeIdPattern: /^https:\/\/[a-z]+\.example\/users\/\w+\/statuses\/\d+$/,
  urlPattern: /^https:\/\/[a-z]+\.example\/(?:@\w+|users\/\w+\/statuses)\/\d+$/,
})

const SEARCHED = recorded<{ statuses: Status[]; parent: Status }>('search')

/** A context whose requests get the answers in their order, the last one again and again. */
function asking(...answers: { status?: number; body: unknown }[]) {
  const asked: { url: URL; token: string | undefined }[] = []
  const context: CollectContext = {
    ...BARE_CONTEXT,
    at: AT,
    async fetch(url, { headers } = {}) {
      const { status = 200, body } = answers[Math.min(asked.length, answers.length - 1)]!
      asked.push({ url: new URL(url), token: headers?.['authorization'] })
      return { status, headers: {}, body: JSON.stringify(body) }
    },
  }
  return { asked, context }
}

describe('searching', () => {
  const found = async (context: CollectContext, terms: string[], limit = 1000, since = new Date(0)) => {
    const posts: string[] = []
    const { searching } = mastodon({ ...options, token: 'secret' })
    for await (const batch of searching!.search(context, { terms, since, limit }))
      posts.push(...batch.map(({ nativeId }) => nativeId))
    return posts
  }

  test('needs a token', () => {
    expect(mastodon(options).searching).toBeUndefined()
  })

  test('asks the own server for one phrase, and leaves out who does not want to be found', async () => {
    const { asked, context } = asking({ body: { statuses: SEARCHED.statuses } })
    expect(await found(context, ['acme "corp"'])).toEqual([`${ADA}/103`, `${BORIS}/202`])
    expect(asked).toHaveLength(1)
    expect(asked[0]!.token).toBe('Bearer secret')
    expect(asked[0]!.url.host + asked[0]!.url.pathname).toBe('social.example/api/v2/search')
    expect(Object.fromEntries(asked[0]!.url.searchParams)).toEqual({
      q: '"acme corp"',
      type: 'statuses',
      limit: '40',
      offset: '0',
    })
    expect(await found(asking({ body: {} }).context, ['!!!'])).toEqual([])
  })

  test('turns pages to the limit, to the wanted time, and no further than ten pages', async () => {
    const full = { body: { statuses: Array.from({ length: 40 }, () => SEARCHED.statuses[0]) } }
    const pages = async (limit: number, since: Date) => {
      const { asked, context } = asking(full)
      const posts = await found(context, ['acme'], limit, since)
      return [asked.length, posts.length]
    }
    expect(await pages(1000, new Date(0))).toEqual([10, 400])
    expect(await pages(50, new Date(0))).toEqual([2, 50])
    expect(await pages(1000, AT)).toEqual([1, 0])
  })
})

describe('what is filled in', () => {
  const reply = (url: string | null): Post =>
    normalPost(
      {
        platform: 'mastodon',
        nativeId: `${ADA}/1`,
        url: `${ADA}/1`,
        text: 'a reply',
        publishedAt: AT,
        languageTag: 'en',
        replyTo: { author: 'Boris@other.example', url },
      },
      AT,
    )!
  const parents = (context: CollectContext, urls: (string | null)[]) =>
    mastodon(options).enrich!(context, urls.map(reply)).then((posts) => posts.map(({ replyTo }) => replyTo))

  test('the parent of a reply that was read from a listed server', async () => {
    const { asked, context } = asking({ body: SEARCHED.parent })
    const known = 'https://social.example/@Boris@other.example/90'
    const [first, again, elsewhere, unknown] = await parents(context, [known, known, 'https://else.example/@a/1', null])
    expect(first).toEqual({
      author: 'Boris@other.example',
      url: 'https://other.example/@Boris/200',
      text: 'What do you use?',
    })
    expect(again).toEqual(first)
    expect([elsewhere?.text, unknown?.text]).toEqual([null, null])
    expect(asked.map(({ url }) => url.href)).toEqual(['https://social.example/api/v1/statuses/90'])
  })

  test('nothing, where the parent is gone or not shown', async () => {
    for (const status of [404, 401]) {
      const url = 'https://social.example/@Boris@other.example/90'
      const [parent] = await parents(asking({ status, body: {} }).context, [url])
      expect(parent).toEqual({ author: 'Boris@other.example', url, text: null })
    }
  })
})
