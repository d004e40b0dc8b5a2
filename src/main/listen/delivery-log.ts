import { plus, SECOND_MS } from '../../kernel/clock.ts'
import type { LogFollowing } from './following.ts'
import type { Forwarder } from './forwarder.ts'
import type { ServiceAnswer, ServiceClient } from './service-client.ts'

/** Ids are assigned before commit, so a delivery may appear behind younger ones. */
const LATE_MS = 30 * SECOND_MS
const PAGE = 100

/** Bounds the seen ids. */
const SWEEP_MAX = 2000

export interface FollowedLog {
  id: string
  label: string
  since: Date
  /** Deliveries seen since then. */
  seen: ReadonlySet<string>
}

export async function fromNowOn(api: ServiceClient, id: string, label: string, at: Date): Promise<FollowedLog> {
  const since = plus(at, -LATE_MS)
  const seen = new Set<string>()
  for await (const { data } of pages(api, id, since)) for (const entry of data) seen.add(entry.id)
  return { id, label, since, seen }
}

interface Entry {
  id: string
  event: string
  status: string
  attempts: number
  error: string | null
  createdAt: string
}

interface Page {
  data: Entry[]
  isLast: boolean
  at: Date
}

/** Oldest first; ends early if the channel is deleted or the developer interrupts. */
async function* pages(api: ServiceClient, channelId: string, since: Date): AsyncGenerator<Page> {
  let cursor: string | null = null
  do {
    const search: URLSearchParams = new URLSearchParams({
      sort: 'oldest',
      since: since.toISOString(),
      limit: String(PAGE),
      ...(cursor === null ? {} : { cursor }),
    })
    const answer: ServiceAnswer<{ data: Entry[]; nextCursor: string | null }> | null = await api.get(
      `/v1/channels/${encodeURIComponent(channelId)}/deliveries?${search}`,
    )
    if (answer === null || answer.body === null) return
    cursor = answer.body.nextCursor
    yield { data: answer.body.data, isLast: cursor === null, at: answer.at }
  } while (cursor !== null)
}

/** Forwards new deliveries in order; false if the channel is deleted. */
export async function sweep(
  channel: FollowedLog,
  api: ServiceClient,
  forward: Forwarder,
  following: LogFollowing,
): Promise<boolean> {
  const shown = new Set<string>()
  let forwarded = 0
  /** Deliveries that appear later are not older than this. */
  let settledUpTo: Date | null = null
  for await (const { data, isLast, at } of pages(api, channel.id, channel.since)) {
    for (const entry of data) {
      if (!channel.seen.has(entry.id)) {
        const outcome = await forwardEntry(channel.id, entry, api, forward, following)
        // Later deliveries wait, to keep the order.
        if (outcome === 'waits') return keep(channel, shown)
        forwarded += 1
      }
      shown.add(entry.id)
    }
    const newest = data.at(-1)
    settledUpTo = isLast || newest === undefined ? at : earlier(at, new Date(newest.createdAt))
    if (isLast || forwarded >= SWEEP_MAX) break
  }
  if (settledUpTo === null) return following.signal.aborted
  const begin = plus(settledUpTo, -LATE_MS)
  if (begin > channel.since) channel.since = begin
  channel.seen = shown
  return true
}

async function forwardEntry(
  channelId: string,
  entry: Entry,
  api: ServiceClient,
  forward: Forwarder,
  { say, signal }: LogFollowing,
): Promise<'sent' | 'waits'> {
  const next = await bodyOf(api, channelId, entry)
  if (next.kind === 'waits' || signal.aborted) return 'waits'
  const result = next.kind === 'nothing' ? `not sent: ${next.reason}` : await forward.send(next.body)
  say(line(entry, result))
  return signal.aborted ? 'waits' : 'sent'
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

/** After an interrupted sweep: keeps the seen ids and the position. */
function keep(channel: FollowedLog, shown: ReadonlySet<string>): true {
  channel.seen = new Set([...channel.seen, ...shown])
  return true
}

type Body = { kind: 'body'; body: string } | { kind: 'waits' } | { kind: 'nothing'; reason: string }

async function bodyOf(api: ServiceClient, channelId: string, entry: Entry): Promise<Body> {
  if (entry.attempts > 0) {
    const search = new URLSearchParams({ channelId })
    const answer = await api.get<{ attemptLog: { request: { body: string } | null }[] }>(
      `/v1/deliveries/${encodeURIComponent(entry.id)}?${search}`,
    )
    if (answer === null) return { kind: 'waits' }
    if (answer.body === null) return { kind: 'nothing', reason: 'it is gone' }
    const body = answer.body.attemptLog.findLast(({ request }) => request !== null)?.request?.body
    if (body !== undefined) return { kind: 'body', body }
  }
  return entry.status === 'pending'
    ? { kind: 'waits' }
    : { kind: 'nothing', reason: `${entry.status}${entry.error === null ? '' : `, ${entry.error}`}` }
}

function line({ createdAt, event, id }: Entry, result: string): string {
  return `${createdAt}  ${event}  ${id}  ${result}`
}
