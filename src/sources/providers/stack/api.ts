import type { z } from 'zod'
import { type CollectContext, SourceFault, type SourceReply } from '../../contract.ts'
import { faultOfStatus, readJson, saidIn } from '../../reply-fault.ts'
import type { Method, StackPauses } from './pauses.ts'
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
const DAY_SECONDS = 86_400
/** Error ids that concern the key. */
const CREDENTIALS = new Set([401, 402, 403, 405, 406])

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

export interface StackApi {
  of(context: CollectContext, site: StackSite): Api
  /** Every site of the network, unread. */
  sites(context: CollectContext): Promise<unknown[]>
}

export function stackApi(key: string | null, pauses: StackPauses): StackApi {
  let filterName: string | null = null

  async function ask(context: CollectContext, { method, path, parameters }: Asked): Promise<z.infer<typeof wrapper>> {
    pauses.refuse(method)
    const url = new URL(`${BASE}/${path}`)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
    if (key !== null) url.searchParams.set('key', key)
    const reply = await context.fetch(url.href, { cost: { requests: 1 } })
    const fault = faultOf(reply) ?? faultOfStatus(reply.status, reply.headers, pauses.now())
    if (fault?.kind === 'throttled' && fault.retryAfterSeconds !== null) pauses.begin('all', fault.retryAfterSeconds)
    // An unknown filter would be refused for ever.
    if (fault?.kind === 'shape_changed') filterName = null
    if (fault) throw fault
    const read = readJson(reply, wrapper, pauses.now())
    if (read.backoff != null) pauses.begin(method, read.backoff)
    if (read.quota_remaining != null && read.quota_remaining <= 0) pauses.beginForToday()
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
