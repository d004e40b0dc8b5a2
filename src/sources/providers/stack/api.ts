import type { z } from 'zod'
import { type CollectContext, SourceFault, type SourceReply } from '../../contract.ts'
import { readJson, saidIn } from '../../reply-fault.ts'
import type { StackSite } from './site.ts'
import { filter, refusal, wrapper } from './wire.ts'

export const HOST = 'api.stackexchange.com'
const BASE = `https://${HOST}/2.3`
/** Also the most ids of one request. */
export const PAGE_SIZE = 100
/** The list of sites has larger pages; there are fewer than 400. */
const SITES_SIZE = 500
/**
 * Fields beyond the default, which lacks texts and addresses. Filters are permanent: the same fields give the same
 * name.
 */
const FIELDS = ['.backoff', 'post.body', 'post.title', 'post.link', 'comment.body', 'comment.link', 'comment.post_type']
/** Waits start at the call, and each earlier request may have taken this long. */
const LONGEST_REQUEST_SECONDS = 15
const DAY_SECONDS = 86_400
/** Error ids that concern the key. */
const CREDENTIALS = new Set([401, 402, 403, 405, 406])

export type Method = 'sites' | 'posts' | 'comments' | 'questions' | 'answers' | 'search/excerpts' | 'filters/create'

export interface ApiPage {
  items: unknown[]
  more: boolean
}

/** The API of one site for one poll or search. */
export interface Api {
  site: StackSite
  /** At most `PAGE_SIZE` ids. */
  list(method: Method, parameters: Record<string, string | number>, ids?: readonly string[]): Promise<ApiPage>
}

/** The instants, in milliseconds, until which methods must not be asked, whatever the site. Outlives tasks. */
export type StackWaits = Map<Method | 'all', number>

export interface StackApi {
  of(context: CollectContext, site: StackSite): Api
  /** Every site of the network, unread. */
  sites(context: CollectContext): Promise<unknown[]>
}

export function stackApi(key: string | null, waits: StackWaits = new Map()): StackApi {
  /** Requests of each task so far. */
  const asked = new WeakMap<CollectContext, number>()
  let filterName: string | null = null

  async function ask(context: CollectContext, { method, path, parameters }: Asked): Promise<z.infer<typeof wrapper>> {
    refuseWhileWaiting(waits, method, context.at)
    const url = new URL(`${BASE}/${path}`)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
    if (key !== null) url.searchParams.set('key', key)
    const requests = (asked.get(context) ?? 0) + 1
    asked.set(context, requests)
    const reply = await context.fetch(url.href, { cost: { requests: 1 } })
    const fault = faultOf(reply)
    if (fault?.kind === 'throttled' && fault.retryAfterSeconds !== null)
      wait(waits, 'all', context.at, fault.retryAfterSeconds)
    // An unknown filter would be refused for ever.
    if (fault?.kind === 'shape_changed') filterName = null
    if (fault) throw fault
    const read = readJson(reply, wrapper, context.at)
    if (read.backoff != null) wait(waits, method, context.at, read.backoff + requests * LONGEST_REQUEST_SECONDS)
    if (read.quota_remaining != null && read.quota_remaining <= 0)
      wait(waits, 'all', context.at, secondsToMidnight(context.at))
    return read
  }

  async function filterOf(context: CollectContext): Promise<string> {
    const parameters = { base: 'default', include: FIELDS.join(';'), unsafe: 'false' }
    const asking = { method: 'filters/create', path: 'filters/create', parameters } as const
    const { items } = await ask(context, asking)
    const parsed = filter.safeParse(items[0])
    if (!parsed.success) throw new SourceFault('shape_changed', 'the platform names no filter', { cause: parsed.error })
    return parsed.data.filter
  }

  return {
    of: (context, site) => ({
      site,
      async list(method, given, ids) {
        filterName ??= await filterOf(context)
        const path = ids ? `${method}/${ids.join(';')}` : method
        const parameters = { site: site.name, filter: filterName, pagesize: PAGE_SIZE, ...given }
        const { items, has_more: more } = await ask(context, { method, path, parameters })
        return { items, more }
      },
    }),
    async sites(context) {
      const asking = { method: 'sites', path: 'sites', parameters: { pagesize: SITES_SIZE } } as const
      return (await ask(context, asking)).items
    },
  }
}

interface Asked {
  method: Method
  path: string
  parameters: Record<string, string | number>
}

function wait(waits: StackWaits, what: Method | 'all', at: Date, seconds: number): void {
  waits.set(what, Math.max(waits.get(what) ?? 0, at.getTime() + seconds * 1000))
}

function refuseWhileWaiting(waits: StackWaits, method: Method, at: Date): void {
  const untilMs = Math.max(waits.get('all') ?? 0, waits.get(method) ?? 0)
  const retryAfterSeconds = Math.min(DAY_SECONDS, Math.ceil((untilMs - at.getTime()) / 1000))
  if (retryAfterSeconds > 0)
    throw new SourceFault('throttled', `the platform asked to be left alone with ${method}`, { retryAfterSeconds })
}

/** Null for a good reply or a refusal of another server. */
function faultOf(reply: SourceReply): SourceFault | null {
  if (reply.status >= 200 && reply.status < 300) return null
  const said = saidIn(reply, refusal)
  if (said === null) return null
  const { error_id: id, error_name: name } = said
  const words = (said.error_message ?? '').slice(0, 300)
  const message = `the platform refused: ${id} ${name ?? ''} ${words}`
  if (id === 502) return new SourceFault('throttled', message, { retryAfterSeconds: secondsIn(words) })
  if (id === 500 || id === 503) return new SourceFault('unavailable', message)
  if (CREDENTIALS.has(id) || /\bkey\b/.test(words)) return new SourceFault('credentials', message)
  return new SourceFault('shape_changed', message)
}

function secondsIn(words: string): number | null {
  const seconds = words.match(/available in (\d{1,7}) second/)?.[1]
  return seconds === undefined ? null : Math.min(DAY_SECONDS, Number(seconds))
}

/** The quota resets at midnight UTC. */
function secondsToMidnight(at: Date): number {
  return DAY_SECONDS - (Math.floor(at.getTime() / 1000) % DAY_SECONDS)
}
