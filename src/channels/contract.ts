import type { AccountEvent } from '../domain/attention/account-events.ts'
import type { ChannelKind } from '../domain/delivery/channel-kind.ts'
import type { Outgoing } from '../domain/delivery/envelope.ts'
import type { Refusal } from '../kernel/refusal.ts'

/**
 * How one attempt ended. A reason is one line for people: it never holds a secret, an address inside the operator's
 * network or text of the receiver. `status` is the reply's, null when there was none.
 */
export type Outcome =
  | { outcome: 'delivered'; status: number | null }
  /** Worth another attempt. `retryAfterSeconds` is 0 to 3,600, null when the receiver asked for no particular wait. */
  | { outcome: 'temporary'; reason: string; retryAfterSeconds: number | null; status: number | null }
  | { outcome: 'permanent'; reason: string; status: number | null }

export type SendResult = Outcome & {
  /** From the beginning of `send` to its end, in whole milliseconds. */
  durationMs: number
  /** The beginning of the reply's body, at most 2 KiB, made safe to store; null when there was no reply. Not trusted. */
  replyExcerpt: string | null
}

/** What the delivery log may show of a request: credentials and values that a caller set are masked. */
export interface ShownRequest {
  headers: Record<string, string>
  body: string
}

/** Sends through channels of one kind. Attempts, spacing and states are the caller's. */
export interface Sender<Config = unknown, Request = unknown> {
  /**
   * The channel's stored settings, secrets opened, in the form that `render` uses; a refusal when they cannot be used
   * (any more), which the caller treats as a permanent failure. Worth keeping as long as the channel does not change.
   */
  readConfig(stored: unknown): Config | Refusal<'validation_error'>
  /** Pure: the request of an attempt that is made at `at`. The content is serialised here and nowhere else. */
  render(outgoing: Outgoing, config: Config, at: Date): Request
  shown(request: Request): ShownRequest
  /**
   * Performs one attempt. Never rejects, and ends within the kind's time limit (10 seconds for a webhook). When `signal`
   * is aborted it ends at once as temporary with the reason `STOPPED`; the receiver may then have the request or not.
   */
  send(request: Request, signal: AbortSignal): Promise<SendResult>
}

/** The reason of an attempt that the caller itself cut short. */
export const STOPPED = 'the attempt was stopped'

/** What a channel is, apart from its secret; `config` is stored and shown as it is. */
export interface ChannelSettings<Config = unknown> {
  label: string
  config: Config
  events: readonly AccountEvent[]
}

/** Checks what callers ask for when they set up channels of one kind. */
export interface ChannelSetup<Input = unknown, Config = unknown> {
  create(input: Input): ChannelSettings<Config> | Refusal<'validation_error'>
  /** `input` holds only what is to change. `cancelsUnsent`: deliveries not yet sent must not go to the new destination. */
  change(current: ChannelSettings<Config>, input: Partial<Input>): { settings: ChannelSettings<Config>; cancelsUnsent: boolean } | Refusal<'validation_error'>
  /** A new secret to be shown once and stored sealed; null for kinds whose receivers verify nothing. */
  newSecret(): string | null
}

/** A kind of channel: how it is set up and how it sends. */
export interface Channel<Input = unknown, StoredConfig = unknown, Config = unknown, Request = unknown> {
  kind: ChannelKind
  setup: ChannelSetup<Input, StoredConfig>
  sender: Sender<Config, Request>
}

/** Every kind of channel that this installation has. */
export type Channels = ReadonlyMap<ChannelKind, Channel>
