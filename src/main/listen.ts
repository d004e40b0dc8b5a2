import { newWebhookSecret } from '../channels/webhook/config.ts'
import { type SigningKeys, signatureHeaders, signingKeys } from '../channels/webhook/signing.ts'
import { canParse } from '../kernel/can-parse.ts'
import { type Clock, plus, SECOND_MS, systemClock } from '../kernel/clock.ts'
import { StartError } from '../kernel/start-error.ts'
import { underAny } from '../kernel/under-any.ts'
import { VERSION } from './installation.ts'

/** What a developer says of it. */
export interface ListenOptions {
  forwardTo: string
  /** One webhook channel; all of them when absent. */
  channel?: string
  key?: string
  url?: string
  secret?: string
}

/** What following needs of the outside; tests hand in their own. */
interface Following {
  clock: Clock
  fetch: typeof fetch
  say(line: string): void
  signal: AbortSignal
}

const POLL_MS = SECOND_MS
/**
 * Deliveries get their ids before their transactions commit, so one may appear in the log behind others that are
 * younger. The log is read again from this long before the newest that was seen.
 */
const LATE_MS = 30 * SECOND_MS
const PAGE = 100
/** Looks between two questions for channels that were made meanwhile. */
const NEW_CHANNELS_EVERY = 10
/**
 * So many are forwarded before the place in the log is moved on, however many wait: what is remembered stays bounded.
 */
const SWEEP_MAX = 2000
/** The time that a local server has to answer: that of a real receiver. */
const LOCAL_LIMIT_MS = 10 * SECOND_MS
/** The time that the service has to answer one question. */
const SERVICE_LIMIT_MS = 30 * SECOND_MS
const LOCAL_TRIES = 5
const FIRST_WAIT_MS = SECOND_MS / 2
const LONGEST_WAIT_MS = 15 * SECOND_MS

/**
 * Follows the log of webhook channels over the public interface and sends each new delivery to an address of the
 * developer's, until it is interrupted.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    await follow(options, { clock: systemClock, fetch, say: (line) => console.log(line), signal: ending.signal })
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
}

/** A channel that is followed. */
interface Followed {
  id: string
  label: string
  /** Where in the log the next look begins. */
  since: Date
  /** What the last look has shown since then, forwarded or not to be. */
  seen: ReadonlySet<string>
}

export async function follow(options: ListenOptions, following: Following): Promise<void> {
  const { say, signal, clock } = following
  const forward = forwarder(options, following)
  const api = serviceOf(options, following)
  const followed = new Map<string, Followed>()
  // Forwarding begins when every log was looked at; until then somebody waits.
  await channelsOf(api, options, followed, (channels) =>
    say(`Looking at ${channels.length === 1 ? 'the log of one channel' : `the logs of ${channels.length} channels`}`),
  )
  say(`Forwarding what is sent through ${named([...followed.values()])} to ${options.forwardTo}. Ctrl-C ends it.`)
  if (options.secret === undefined) say(`Signed with ${forward.secret}`)
  for (let round = 1; !signal.aborted; round += 1) {
    for (const channel of followed.values()) {
      if (signal.aborted) return
      if (!(await sweep(channel, api, forward, following))) followed.delete(channel.id)
    }
    if (options.channel !== undefined && followed.size === 0) stop(`The channel ${options.channel} is gone.`)
    // However many channels there are, they are asked once a second together: the limit of the workspace is that of its
    // other clients too.
    await clock.wait(Math.max(POLL_MS, POLL_MS * followed.size), signal)
    if (options.channel === undefined && round % NEW_CHANNELS_EVERY === 0)
      await channelsOf(api, options, followed, null)
  }
}

function named(channels: readonly Followed[]): string {
  if (channels.length === 0) return 'webhook channels, of which there are none yet,'
  return channels.map(({ id, label }) => `${label} (${id})`).join(', ')
}

/**
 * Adds webhook channels that are new. At the beginning, which is when `onBeginning` is told them, everything that a log
 * holds counts as seen; a channel that is made later is followed from its first delivery on.
 */
async function channelsOf(
  api: Service,
  { channel: only }: ListenOptions,
  followed: Map<string, Followed>,
  onBeginning: ((channels: readonly Channel[]) => void) | null,
): Promise<void> {
  const answer = await api<{ data: Channel[] } & Channel>(
    only === undefined ? '/v1/channels' : `/v1/channels/${encodeURIComponent(only)}`,
  )
  if (answer === null) return
  if (answer.body === null) stop(`There is no channel ${only} in this workspace.`)
  const channels = only === undefined ? answer.body.data.filter(({ kind }) => kind === 'webhook') : [answer.body]
  for (const { id, kind } of channels)
    if (kind !== 'webhook') stop(`${id} is a channel of the kind ${kind}; only webhooks can be forwarded.`)
  if (onBeginning === null) {
    for (const { id, label, createdAt } of channels)
      if (!followed.has(id)) followed.set(id, { id, label, since: new Date(createdAt), seen: new Set() })
    return
  }
  onBeginning(channels)
  for (let begin = 0; begin < channels.length; begin += LOGS_AT_ONCE) {
    const some = channels.slice(begin, begin + LOGS_AT_ONCE)
    for (const log of await Promise.all(some.map(({ id, label }) => fromNowOn(api, id, label, answer.at))))
      followed.set(log.id, log)
  }
}

/** Logs that are read together at the beginning. */
const LOGS_AT_ONCE = 8

async function fromNowOn(api: Service, id: string, label: string, at: Date): Promise<Followed> {
  const since = plus(at, -LATE_MS)
  const seen = new Set<string>()
  for await (const { data } of pages(api, id, since)) for (const entry of data) seen.add(entry.id)
  return { id, label, since, seen }
}

interface Channel {
  id: string
  label: string
  kind: string
  createdAt: string
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

/**
 * The log of a channel from an instant on, oldest first; ends early when the channel is gone or the developer has had
 * enough.
 */
async function* pages(api: Service, channelId: string, since: Date): AsyncGenerator<Page> {
  let cursor: string | null = null
  do {
    const search: URLSearchParams = new URLSearchParams({
      sort: 'oldest',
      since: since.toISOString(),
      limit: String(PAGE),
      ...(cursor === null ? {} : { cursor }),
    })
    const answer: Answer<{ data: Entry[]; nextCursor: string | null }> | null = await api(
      `/v1/channels/${encodeURIComponent(channelId)}/deliveries?${search}`,
    )
    if (answer === null || answer.body === null) return
    cursor = answer.body.nextCursor
    yield { data: answer.body.data, isLast: cursor === null, at: answer.at }
  } while (cursor !== null)
}

/** Looks through the log once and forwards what is new, in order; false when the channel is gone. */
async function sweep(channel: Followed, api: Service, forward: Forward, { say, signal }: Following): Promise<boolean> {
  const shown = new Set<string>()
  let forwarded = 0
  /** Whatever is to appear behind what this look has seen is not older than this. */
  let settledUpTo: Date | null = null
  for await (const { data, isLast, at } of pages(api, channel.id, channel.since)) {
    for (const entry of data) {
      if (!channel.seen.has(entry.id)) {
        const next = await bodyOf(api, channel.id, entry)
        // What follows waits behind it, so that the order stays.
        if (next.kind === 'waits' || signal.aborted) return keep(channel, shown)
        const result = next.kind === 'nothing' ? `not sent: ${next.reason}` : await forward.send(next.body)
        say(line(entry, result))
        if (signal.aborted) return keep(channel, shown)
        forwarded += 1
      }
      shown.add(entry.id)
    }
    const newest = data.at(-1)
    settledUpTo = isLast || newest === undefined ? at : earlier(at, new Date(newest.createdAt))
    if (isLast || forwarded >= SWEEP_MAX) break
  }
  if (settledUpTo === null) return signal.aborted
  const begin = plus(settledUpTo, -LATE_MS)
  if (begin > channel.since) channel.since = begin
  channel.seen = shown
  return true
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

/** The look was cut short: what it has shown so far is remembered, and its place stays. */
function keep(channel: Followed, shown: ReadonlySet<string>): true {
  channel.seen = new Set([...channel.seen, ...shown])
  return true
}

type Body = { kind: 'body'; body: string } | { kind: 'waits' } | { kind: 'nothing'; reason: string }

/** What was sent by the newest attempt. */
async function bodyOf(api: Service, channelId: string, entry: Entry): Promise<Body> {
  if (entry.attempts > 0) {
    const search = new URLSearchParams({ channelId })
    const answer = await api<{ attemptLog: { request: { body: string } | null }[] }>(
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

interface Forward {
  secret: string
  /** Says in a few words what became of it. */
  send(body: string): Promise<string>
}

/** Sends bodies to the developer's address, each under its own id and signed as the service signs. */
function forwarder(
  { forwardTo, secret = newWebhookSecret() }: ListenOptions,
  { clock, say, signal, ...following }: Following,
): Forward {
  if (!/^https?:\/\//i.test(forwardTo) || !canParse(forwardTo))
    stop(`--forward-to: ${forwardTo} is no http or https address.`)
  const keys = signingKeys(secret)
  if (keys === null) stop('--secret: a secret begins with whsec_ and goes on with at least 16 bytes in base64.')
  const post = async (body: Buffer, id: string): Promise<number> => {
    const signed = headersOf(id, body, keys, clock.now())
    return await underAny([signal, AbortSignal.timeout(LOCAL_LIMIT_MS)], async (ending) => {
      const reply = await following.fetch(forwardTo, {
        method: 'POST',
        headers: signed,
        body,
        redirect: 'manual',
        signal: ending,
      })
      // Its body is of no interest; left alone it would hold the connection.
      await reply.body?.cancel()
      return reply.status
    })
  }
  return {
    secret,
    async send(text) {
      const body = Buffer.from(text)
      const { id } = JSON.parse(text) as { id: string }
      for (let tried = 1; ; tried += 1) {
        try {
          return String(await post(body, id))
        } catch (error) {
          if (signal.aborted) return 'not forwarded'
          if (tried === LOCAL_TRIES) return `not forwarded: ${reasonOf(error)}, ${LOCAL_TRIES} times`
          say(`${forwardTo} does not answer (${reasonOf(error)}); trying again`)
          await clock.wait(waitAfter(tried), signal)
          if (signal.aborted) return 'not forwarded'
        }
      }
    },
  }
}

function headersOf(id: string, body: Buffer, keys: SigningKeys, at: Date): Headers {
  const headers = new Headers({ 'content-type': 'application/json', 'user-agent': `earshot/${VERSION} (listen)` })
  const signed = signatureHeaders(id, body, keys, at)
  for (let place = 0; place < signed.length; place += 2) headers.set(signed[place]!, signed[place + 1]!)
  return headers
}

interface Answer<Body> {
  /** Null when there is no such thing. */
  body: Body | null
  /** By the clock of the service. */
  at: Date
}

/** Asks the service and waits out its absences; null only when the developer has had enough. */
type Service = <Body>(path: string) => Promise<Answer<Body> | null>

function serviceOf(
  { url = 'http://localhost:4400', key }: ListenOptions,
  { clock, say, signal, ...following }: Following,
): Service {
  if (!/^https?:\/\//i.test(url) || !canParse(url)) stop(`--url: ${url} is no http or https address.`)
  if (key === undefined || key === '')
    stop('An API key is needed: --key ref_... or EARSHOT_API_KEY. One that may only read is enough.')
  const base = url.replace(/\/+$/, '')
  const ask = (path: string): Promise<{ reply: Response; text: string }> =>
    underAny([signal, AbortSignal.timeout(SERVICE_LIMIT_MS)], async (ending) => {
      const reply = await following.fetch(`${base}${path}`, {
        headers: { authorization: `Bearer ${key}` },
        redirect: 'manual',
        signal: ending,
      })
      return { reply, text: await reply.text() }
    })
  /** The answer, or for how many milliseconds to wait before asking again and why. */
  const tryOnce = async <Body>(
    path: string,
    tried: number,
  ): Promise<Answer<Body> | { waitMs: number; reason: string }> => {
    try {
      const { reply, text } = await ask(path)
      const at = new Date(reply.headers.get('date') ?? clock.now())
      if (reply.status === 200) return { body: JSON.parse(text) as Body, at }
      if (reply.status === 404) return { body: null, at }
      const asked = Number(reply.headers.get('retry-after') ?? 0) * SECOND_MS
      if (reply.status === 429 || reply.status === 408 || reply.status >= 500)
        return { waitMs: Math.max(asked, waitAfter(tried)), reason: `status ${reply.status}` }
      stop(`${base} answered ${reply.status}: ${messageOf(text)}`)
    } catch (error) {
      if (error instanceof StartError) throw error
      return { waitMs: waitAfter(tried), reason: reasonOf(error) }
    }
  }
  return async <Body>(path: string) => {
    for (let tried = 1; !signal.aborted; tried += 1) {
      const answer = await tryOnce<Body>(path, tried)
      if ('body' in answer) {
        if (tried > 1) say(`${base} answers again`)
        return answer
      }
      if (signal.aborted) return null
      if (tried === 1) say(`${base} does not answer (${answer.reason}); trying again`)
      await clock.wait(answer.waitMs, signal)
    }
    return null
  }
}

function waitAfter(tried: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tried - 1, 10))
}

function messageOf(text: string): string {
  try {
    return String((JSON.parse(text) as { error: { message: string } }).error.message)
  } catch {
    return 'is this an Earshot?'
  }
}

/** The error's code where it has one, such as ECONNREFUSED; those of `fetch` stand behind it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error && cause.name === 'TimeoutError' ? 'no answer in time' : 'no connection'
}

function stop(message: string): never {
  throw new StartError(message)
}
