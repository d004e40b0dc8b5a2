import { type CollectContext, SourceFault, type SourceReply } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { faultOfStatus, jsonFrom, retryAfterFrom } from '../reply-fault.ts'
import type { App } from './to-post.ts'
import { envelope, type PlayReview, payload, placed, playReview } from './wire.ts'

export const HOST = 'play.google.com'
/** The review call of the shop's pages and an alternative, with equal requests and replies. */
export const CALLS = ['UsvDTd', 'oCPfdb'] as const
export type Call = (typeof CALLS)[number]
const PAGE_SIZE = 199
const NEWEST_FIRST = 2
/** Prevents execution as a script. */
const GUARD = ")]}'"
/** After the shop took the address for a robot, unless the reply names a wait. */
const BLOCKED_SECONDS = 3600
const NOT_UNDERSTOOD = new Set([400, 404, 410])
/** gRPC status codes. */
const CODES = { deadlineExceeded: 4, notFound: 5, resourceExhausted: 8, internal: 13, unavailable: 14 }

export interface ReviewBatch {
  reviews: PlayReview[]
  /** Null on the last page. */
  token: string | null
}

export class NothingFound extends SourceFault {
  constructor(message: string) {
    super('unavailable', message, { onlyThis: true })
    this.name = 'NothingFound'
  }
}

/** Newest first; null if the shop does not understand the call. */
export async function askReviews(
  context: CollectContext,
  app: App,
  call: Call,
  token: string | null,
): Promise<ReviewBatch | null> {
  const url = new URL(`https://${HOST}/_/PlayStoreUi/data/batchexecute`)
  url.searchParams.set('hl', app.language)
  url.searchParams.set('gl', app.country)
  const reply = await context.fetch(url.href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    body: `f.req=${encodeURIComponent(question(app, call, token))}`,
    cost: { requests: 1 },
    redirect: 'manual',
  })
  // All apps share this address, so a 404 does not concern the app.
  if (NOT_UNDERSTOOD.has(reply.status)) return null
  const found = answerTo(call, reply, context.at)
  return found === null
    ? null
    : { reviews: readItems(found.reviews, playReview, context, 'googleplay'), token: found.token }
}

function question(app: App, call: Call, token: string | null): string {
  const argument = [null, null, [2, NEWEST_FIRST, [PAGE_SIZE, null, token], null, []], [app.id, 7]]
  return JSON.stringify([[[call, JSON.stringify(argument), null, 'generic']]])
}

/** An unknown app also gets an empty list. */
export async function ensureApp(context: CollectContext, app: App): Promise<void> {
  const url = new URL(`https://${HOST}/store/apps/details`)
  url.searchParams.set('id', app.id)
  url.searchParams.set('hl', app.language)
  url.searchParams.set('gl', app.country)
  const reply = await context.fetch(url.href, { cost: { requests: 1 }, redirect: 'manual' })
  refuse(reply, context.at)
}

function answerTo(call: Call, reply: SourceReply, at: Date): ReturnType<typeof payload.parse> | null {
  const guarded = reply.body.startsWith(GUARD)
  if (!guarded && asksForCaptcha(reply.body)) throw blocked(reply, at)
  refuse(reply, at)
  if (!guarded)
    throw new SourceFault('shape_changed', `the reply is no answer to a batch call (${reply.body.length} characters)`)
  const rows = envelope.safeParse(jsonFrom(reply.body.slice(GUARD.length)))
  if (!rows.success)
    throw new SourceFault('shape_changed', 'the reply to the batch call has another form than expected', {
      cause: rows.error,
    })
  const row = rows.data.find(([kind, name]) => kind === 'wrb.fr' && name === call)
  if (row === undefined) return null
  const code = placed(row, 5, 0)
  if (row[2] === null && typeof code === 'number') return refusedWith(code)
  const found = payload.safeParse(typeof row[2] === 'string' ? jsonFrom(row[2]) : row[2])
  if (!found.success)
    throw new SourceFault('shape_changed', 'the reviews have another form than expected', { cause: found.error })
  return found.data
}

/** Null for codes that concern the request. */
function refusedWith(code: number): null {
  const message = `the shop answers with code ${code}`
  if (code === CODES.notFound) throw new NothingFound(message)
  if (code === CODES.resourceExhausted)
    throw new SourceFault('throttled', message, { retryAfterSeconds: BLOCKED_SECONDS })
  if (code === CODES.deadlineExceeded || code === CODES.internal || code === CODES.unavailable)
    throw new SourceFault('unavailable', message)
  return null
}

/** A 403 means a blocked address. A redirect leads to a captcha or a consent page and says nothing of the app. */
function refuse(reply: SourceReply, at: Date): void {
  if (reply.status === 429 || reply.headers['location']?.includes('/sorry/')) throw blocked(reply, at)
  if (reply.status === 403) throw new SourceFault('throttled', 'the shop refuses this address for now')
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (fault) throw fault
}

function blocked(reply: SourceReply, at: Date): SourceFault {
  const retryAfterSeconds = retryAfterFrom(reply.headers['retry-after'], at) ?? BLOCKED_SECONDS
  return new SourceFault('throttled', 'the shop takes this address for a machine', { retryAfterSeconds })
}

function asksForCaptcha(body: string): boolean {
  return body.includes('unusual traffic') || body.includes('g-recaptcha') || body.includes('/sorry/index')
}
