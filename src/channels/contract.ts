import type { AccountEvent } from '../domain/attention/account-events.ts'
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import type { Outgoing } from '../domain/delivery/envelope.ts'
import type { Refusal } from '../domain/refusal/refusal.ts'
import type { SlackFault } from '../domain/slack/fault.ts'
import type { SlackAction, SlackConversation, SlackEvent, SlackGrant, SlackMessage } from '../domain/slack/slack.ts'

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
  /**
   * The beginning of the reply's body, at most 2 KiB, made safe to store; null when there was no reply. Not trusted.
   */
  replyExcerpt: string | null
  /**
   * What else the kind learned, for its own `after` in commands/around-sending.ts: a chat that moved, a token
   * that was revoked.
   */
  learned?: unknown
}

/** What the delivery log may show of a request: credentials and values that a caller set are masked. */
export interface ShownRequest {
  headers: Record<string, string>
  /** Text, or the bytes of one that was encoded already. */
  body: string | Buffer
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
   * Performs one attempt. Never rejects, and ends within the kind's time limit (10 seconds for a webhook). When
   * `signal` is aborted it ends at once as temporary with the reason `STOPPED`; the receiver may then have the request
   * or not.
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
  /**
   * `input` holds only what is to change. `cancelsUnsent`: deliveries not yet sent must not go to the new destination.
   */
  change(
    current: ChannelSettings<Config>,
    input: Partial<Input>,
  ): { settings: ChannelSettings<Config>; cancelsUnsent: boolean } | Refusal<'validation_error'>
  /** A new secret to be shown once and stored sealed; null for kinds whose receivers verify nothing. */
  newSecret(): string | null
}

/** A kind of channel: how it is set up and how it sends. */
export interface Channel<Input = unknown, StoredConfig = unknown, Config = unknown, Request = unknown> {
  kind: ChannelKind
  setup: ChannelSetup<Input, StoredConfig>
  sender: Sender<Config, Request>
}

/**
 * The bot of an installation at Telegram, for what is not sent through a channel. Nothing here rejects, and no reason
 * holds its token.
 */
export interface TelegramBot {
  /** Tells this bot from those that the installation had before. */
  readonly id: string
  /** The name in its links, without the at sign; null while Telegram does not say. Asked for until it is known. */
  name(): Promise<string | null>
  /** Whether this is what Telegram sends along with every update; compared in constant time. */
  knows(secret: string): boolean
  /** Says something in a chat, as plain text; null when it is said, else why not. */
  say(chatId: string, text: string): Promise<string | null>
  /** Has updates sent to this address from now on; null when that is done, else why not. */
  receiveAt(url: string): Promise<string | null>
  /**
   * Waits up to half a minute for updates that follow `last`, the id of the last one that was taken. They are as
   * Telegram sends them.
   */
  poll(last: number | null, signal: AbortSignal): Promise<{ updates: unknown[] } | { failed: string }>
  close(): Promise<void>
}

/** What Telegram says of a chat beside what became of a delivery: `learned` of results of this kind. */
export type TelegramLearned =
  /** The bot may not speak there any more: it was blocked or removed, or the account is gone. */
  | { kind: 'gone'; chatId: string }
  /** The group goes on under another id. */
  | { kind: 'moved'; chatId: string; to: string }
  /** Nothing more is taken for that long. */
  | { kind: 'busy'; chatId: string; forSeconds: number }

/** Every kind of channel that this installation has. */
export interface Channels extends ReadonlyMap<ChannelKind, Channel> {
  /**
   * How channels of a kind are set up, also of one that the installation has not any more: what is there can still be
   * changed.
   */
  setupOf(kind: ChannelKind): ChannelSetup
}

/** The app by which an installation is known at Slack, beside what it sends. Nothing here rejects because of Slack. */
export interface SlackApp {
  /** Where somebody allows the app to speak in their team; they come back to `redirectUri` with the state. */
  authorizeUrl(state: string, redirectUri: string): string
  /** What the code is worth that they come back with, once. `redirectUri` is the one that they were sent there with. */
  exchange(code: string, redirectUri: string): Promise<SlackGrant | SlackFault>
  /** The channels that the app sees, public ones and private ones that it was invited to; at most 4,000. */
  listChannels(token: string): Promise<SlackConversation[] | SlackFault>
  /** Makes a token worthless; null when it is. */
  revoke(token: string): Promise<SlackFault | null>
  /** What was pressed, whose signature and age are checked first; null for what is none of our buttons. */
  readAction(message: SlackMessage): SlackAction | null | Refusal<'invalid_signature'>
  /** What Slack tells, checked in the same way; null for what does not matter here. */
  readEvent(message: SlackMessage): SlackEvent | null | Refusal<'invalid_signature'>
  /**
   * Shows everybody in place of the buttons what was done, or to whoever pressed why nothing was; null when it is
   * shown.
   */
  answer(action: SlackAction, answer: { line: string; isDone: boolean }): Promise<SlackFault | null>
  close(): Promise<void>
}

/** What a sender of Slack learned. */
export interface SlackLearned {
  /** The hash of the token that it sent with when Slack does not take it any more, null otherwise. */
  worthlessToken: Buffer | null
  /** Whether Slack asks for more time between messages. */
  isBusy: boolean
}
