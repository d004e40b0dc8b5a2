import { type Cli, EXIT } from '../../cli/index.ts'
import { SECOND_MS, systemClock } from '../../kernel/clock.ts'
import { type FollowedLog, fromNowOn, sweep } from './delivery-log.ts'
import { type ListenOptions, type LogFollowing, stop } from './following.ts'
import { Forwarder } from './forwarder.ts'
import { ServiceClient } from './service-client.ts'

const POLL_MS = SECOND_MS
/** In sweeps. */
const NEW_CHANNELS_EVERY = 10

/** Follows the logs of webhook channels over the public API and forwards new deliveries until interrupted. */
export async function listen(
  options: ListenOptions,
  { terminal, fetch }: Pick<Cli, 'terminal' | 'fetch'>,
): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    await follow(options, { clock: systemClock, fetch, say: (line) => terminal.say(line), signal: ending.signal })
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
}

export async function follow(options: ListenOptions, following: LogFollowing): Promise<void> {
  const { say, signal, clock } = following
  const forward = new Forwarder(options, following)
  const api = new ServiceClient(options, following)
  const followed = new Map<string, FollowedLog>()
  // Reading every log first takes time.
  await channelsOf(api, options, followed, (channels) =>
    say(`Reading ${channels.length === 1 ? 'the log of one channel' : `the logs of ${channels.length} channels`}`),
  )
  say(`Forwarding deliveries of ${named([...followed.values()])} to ${options.forwardTo}. Press Ctrl-C to stop.`)
  if (options.secret === undefined) say(`Signed with ${forward.secret}`)
  for (let round = 1; !signal.aborted; round += 1) {
    for (const channel of followed.values()) {
      if (signal.aborted) return
      if (!(await sweep(channel, api, forward, following))) followed.delete(channel.id)
    }
    if (options.channel !== undefined && followed.size === 0)
      stop(`The channel ${options.channel} is gone.`, EXIT.notFound)
    // One request a second in all, because the workspace's rate limit is shared with its other clients.
    await clock.wait(Math.max(POLL_MS, POLL_MS * followed.size), signal)
    if (options.channel === undefined && round % NEW_CHANNELS_EVERY === 0)
      await channelsOf(api, options, followed, null)
  }
}

function named(channels: readonly FollowedLog[]): string {
  if (channels.length === 0) return 'webhook channels, of which there are none yet,'
  return channels.map(({ id, label }) => `${label} (${id})`).join(', ')
}

/**
 * At the start (with `onBeginning`) logged deliveries count as seen; a later channel is followed from its first
 * delivery.
 */
async function channelsOf(
  api: ServiceClient,
  { channel: only }: ListenOptions,
  followed: Map<string, FollowedLog>,
  onBeginning: ((channels: readonly Channel[]) => void) | null,
): Promise<void> {
  const answer = await api.get<{ data: Channel[] } & Channel>(
    only === undefined ? '/v1/channels' : `/v1/channels/${encodeURIComponent(only)}`,
  )
  if (answer === null) return
  if (answer.body === null) stop(`This workspace has no channel ${only}.`, EXIT.notFound)
  const channels = only === undefined ? answer.body.data.filter(({ kind }) => kind === 'webhook') : [answer.body]
  for (const { id, kind } of channels)
    if (kind !== 'webhook') stop(`${id} is a ${kind} channel. Only webhooks can be forwarded.`, EXIT.usage)
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

const LOGS_AT_ONCE = 8

interface Channel {
  id: string
  label: string
  kind: string
  createdAt: string
}
