import {
  type ConsumerMessages,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { type ConnectionOptions, connect, type NatsConnection, nanos } from '@nats-io/transport-node'
import { z } from 'zod'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { SourceFault } from '../../sources/contract.ts'
import type { LogMessage, LogState, MessageLog } from '../message-log.ts'
import type { PostStreamSettings } from '../settings.ts'

const ANSWER_MS = 5 * SECOND_MS
/** A dead connection is noticed after two of these. */
const PING_MS = 10 * SECOND_MS
const REPEAT_WINDOW_MS = 2 * MINUTE_MS
/** Messages on their way to a follower; the rest waits at the server. */
const AHEAD = 16
const ABANDONED_AFTER_MS = MINUTE_MS
const PULL_MS = 10 * SECOND_MS
const MEGABYTE = 1024 * 1024

const NO_STREAM = 10059
const NO_MESSAGE = 10037
/** The second is of later servers. */
const WRONG_LAST: readonly number[] = [10071, 10164]

const infoShape = z.object({
  created: z.string().min(1),
  config: z.object({ max_age: z.number(), max_bytes: z.number() }),
  state: z.object({
    messages: z.int().nonnegative(),
    first_seq: z.int().nonnegative(),
    last_seq: z.int().nonnegative(),
    bytes: z.int().nonnegative(),
  }),
})
const ackShape = z.object({ seq: z.int().positive() })

interface Door {
  connection: NatsConnection
  manager: JetStreamManager
  client: JetStreamClient
}

/** Streams of NATS JetStream, server 2.9 or newer. One connection, made when it is needed and again after a break. */
export class NatsLog implements MessageLog {
  private readonly settings: PostStreamSettings
  private door: Promise<Door> | null = null

  constructor(settings: PostStreamSettings) {
    this.settings = settings
  }

  async prepare(name: string): Promise<void> {
    const kept = {
      max_age: nanos(this.settings.keptHours * HOUR_MS),
      max_bytes: this.settings.keptMb * MEGABYTE,
    }
    await this.asking(async ({ manager }) => {
      const info = await infoOf(manager, name)
      if (info === null) await manager.streams.add({ name, subjects: [name], ...FORM_OF_STREAM, ...kept })
      else if (info.config.max_age !== kept.max_age || info.config.max_bytes !== kept.max_bytes)
        await manager.streams.update(name, kept)
    })
  }

  async state(name: string): Promise<LogState | null> {
    const info = await this.asking(({ manager }) => infoOf(manager, name))
    if (info === null) return null
    const { messages, first_seq, last_seq, bytes } = info.state
    return { id: info.created, first: messages === 0 ? last_seq + 1 : first_seq, last: last_seq, bytes }
  }

  async read(name: string, number: number): Promise<LogMessage | null> {
    return await this.asking(async ({ manager }) => {
      const message = await manager.streams.getMessage(name, { seq: number }).catch(unless(NO_MESSAGE))
      return message && { number: message.seq, data: message.data }
    })
  }

  async append(name: string, { id, data }: { id: string; data: Uint8Array }, after: number): Promise<number | null> {
    return await this.asking(async ({ client }) => {
      const options = { msgID: id, expect: { streamName: name, lastSequence: after }, timeout: ANSWER_MS }
      const ack = await client.publish(name, data, options).catch(unless(...WRONG_LAST))
      return ack && ackShape.parse(ack).seq
    })
  }

  async *follow(name: string, from: number, signal: AbortSignal): AsyncIterable<LogMessage> {
    if (signal.aborted) return
    const messages = await this.asking(({ client }) => consume(client, name, from))
    const stop = () => messages.stop()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      for await (const { seq, data } of messages) yield { number: seq, data }
    } catch (error) {
      throw faultOf(error)
    } finally {
      signal.removeEventListener('abort', stop)
      messages.stop()
    }
    if (!signal.aborted) throw new SourceFault('stream', 'the connection to the post stream broke')
  }

  async describe(): Promise<string> {
    return await this.asking(async ({ connection, manager }) => {
      await manager.getAccountInfo()
      return `NATS ${connection.info?.version ?? ''} at ${connection.getServer()}`
    })
  }

  async close(): Promise<void> {
    const door = await this.door?.catch(() => null)
    await door?.connection.close()
  }

  private async asking<Answer>(ask: (door: Door) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(await this.open())
    } catch (error) {
      throw faultOf(error)
    }
  }

  private async open(): Promise<Door> {
    const known = this.door
    const door = known && (await known)
    if (door && !door.connection.isClosed()) return door
    // Of several callers that find the connection broken, the first makes the next one.
    if (this.door === known) {
      const next = openDoor(this.settings)
      this.door = next
      next.catch(() => {
        if (this.door === next) this.door = null
      })
    }
    return await (this.door ?? this.open())
  }
}

const FORM_OF_STREAM = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  duplicate_window: nanos(REPEAT_WINDOW_MS),
}

async function openDoor({ servers, user, password, token, tls }: PostStreamSettings): Promise<Door> {
  const options: ConnectionOptions = {
    servers: [...servers],
    name: 'earshot',
    timeout: ANSWER_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    // Callers begin again from their stored places.
    reconnect: false,
    ...(tls ? { tls: {} } : {}),
    ...(token === null ? {} : { token }),
    ...(user === null ? {} : { user, pass: password ?? '' }),
  }
  const connection = await connect(options)
  const asking = { timeout: ANSWER_MS }
  const manager = await jetstreamManager(connection, { ...asking, checkAPI: false })
  return { connection, manager, client: jetstream(connection, asking) }
}

async function infoOf(manager: JetStreamManager, name: string): Promise<z.infer<typeof infoShape> | null> {
  const info = await manager.streams.info(name).catch(unless(NO_STREAM))
  return info && infoShape.parse(info)
}

async function consume(client: JetStreamClient, name: string, from: number): Promise<ConsumerMessages> {
  const consumer = await client.consumers.get(name, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, from),
    inactive_threshold: ABANDONED_AFTER_MS,
  })
  return await consumer.consume({ max_messages: AHEAD, expires: PULL_MS, abort_on_missing_resource: true })
}

/** Null instead of an error with one of these codes of the server. */
function unless(...codes: readonly number[]) {
  return (error: unknown): null => {
    if (error instanceof JetStreamApiError && codes.includes(error.code)) return null
    throw error
  }
}

function faultOf(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new SourceFault('stream', `the post stream cannot be used: ${reason}`, { cause: error })
}
