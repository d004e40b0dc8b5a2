import type { AccountEvent } from '../domain/attention/account-events.ts'
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import type { Outgoing } from '../domain/delivery/envelope.ts'
import type { Refusal } from '../domain/refusal/refusal.ts'
import type { SlackFault } from '../domain/slack/fault.ts'
import type { SlackAction, SlackConversation, SlackEvent, SlackGrant, SlackMessage } from '../domain/slack/slack.ts'

/**
 * How an attempt ended. A reason is one line for people without secrets, internal addresses or text of the receiver.
 * `status` is null without a reply.
 */
export type SendOutcome =
  | { outcome: 'delivered'; status: number | null }
  /** Worth a retry. `retryAfterSeconds` is 0 to 3,600, or null if the receiver named no wait. */
  | { outcome: 'temporary'; reason: string; retryAfterSeconds: number | null; status: number | null }
  | { outcome: 'permanent'; reason: string; status: number | null }

export type SendResult = SendOutcome & {
  /** In whole milliseconds. */
  durationMs: number
  /** The first 2 KiB of the reply's body, safe to store but untrusted; null without a reply. */
  replyExcerpt: string | null
  /** Further findings for the kind's `after` in commands/around-sending.ts: a moved chat, a revoked token. */
  learned?: unknown
}

/** The request for the delivery log, with credentials and custom values masked. */
export interface ShownRequest {
  headers: Record<string, string>
  /** Text or encoded bytes. */
  body: string | Buffer
}

/** Sends through channels of one kind. The caller owns attempts, spacing and states. */
export interface Sender<Config = unknown, Request = unknown> {
  /**
   * The settings for `render` from stored ones with opened secrets. A refusal is a permanent failure. Cacheable while
   * the channel is unchanged.
   */
  readConfig(stored: unknown): Config | Refusal<'validation_error'>
  /** Pure: serializes the request of an attempt at `at`. */
  render(outgoing: Outgoing, config: Config, at: Date): Request
  shown(request: Request): ShownRequest
  /**
   * Makes one attempt. Never rejects and ends within the kind's time limit (10 seconds for a webhook). An abort ends it
   * at once as temporary with the reason `STOPPED`; the receiver may have the request.
   */
  send(request: Request, signal: AbortSignal): Promise<SendResult>
}

/** The reason after an abort. */
export const STOPPED = 'the attempt was stopped'

/**
 * The inspection inboxes of this installation. Deliveries are handed over in the process: no connection is made, so no
 * address of the installation's own network can be reached.
 */
export interface Inspections {
  /** The token when the URL is exactly that of an inbox here, which may not exist. */
  tokenIn(url: string): string | null
  /** Stores a request and returns the status of its reply: 200, 404, 429 or 503. Never rejects. */
  take(token: string, request: InspectedRequest): Promise<200 | 404 | 429 | 503>
}

export interface InspectedRequest {
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>
  body: Buffer
}

/** A channel without its secret; `config` is stored and shown. */
export interface ChannelSettings<Config = unknown> {
  label: string
  config: Config
  events: readonly AccountEvent[]
}

/** Validates the settings of one kind of channel. */
export interface ChannelSetup<Input = unknown, Config = unknown> {
  create(input: Input): ChannelSettings<Config> | Refusal<'validation_error'>
  /** `input` holds only changes. `cancelsUnsent`: unsent deliveries must not go to the new destination. */
  change(
    current: ChannelSettings<Config>,
    input: Partial<Input>,
  ): { settings: ChannelSettings<Config>; cancelsUnsent: boolean } | Refusal<'validation_error'>
  /** Shown once and stored sealed; null for kinds that verify nothing. */
  newSecret(): string | null
}

export interface Channel<Input = unknown, StoredConfig = unknown, Config = unknown, Request = unknown> {
  kind: ChannelKind
  setup: ChannelSetup<Input, StoredConfig>
  sender: Sender<Config, Request>
}

/**
 * The installation's Telegram bot, for messages outside channels. Methods never reject, and reasons never hold the
 * token.
 */
export interface TelegramBot {
  /** Differs from the installation's earlier bots. */
  readonly id: string
  /** The name without the at sign; null until Telegram tells, and requested until then. */
  name(): Promise<string | null>
  /** Checks the secret that Telegram sends with updates, in constant time. */
  knows(secret: string): boolean
  /** Sends plain text; null on success, else the reason. */
  say(chatId: string, text: string): Promise<string | null>
  /** Sets the address for updates; null on success, else the reason. */
  receiveAt(url: string): Promise<string | null>
  /** Waits up to 30 seconds for updates after the id `last`. Updates are not validated. */
  poll(last: number | null, signal: AbortSignal): Promise<{ updates: unknown[] } | { failed: string }>
  close(): Promise<void>
}

/** `learned` by Telegram's sender. */
export type TelegramLearned =
  /** The bot was blocked or removed, or the account was deleted. */
  | { kind: 'gone'; chatId: string }
  /** The group has another id. */
  | { kind: 'moved'; chatId: string; to: string }
  /** Telegram accepts nothing for this time. */
  | { kind: 'busy'; chatId: string; forSeconds: number }

/** The kinds of channel of this installation. */
export interface Channels extends ReadonlyMap<ChannelKind, Channel> {
  /** Also works for a kind that the installation no longer has, so that its channels can be changed. */
  setupOf(kind: ChannelKind): ChannelSetup
  inspections: Inspections
}

/** The installation's Slack app, other than sending. Methods never reject because of Slack. */
export interface SlackApp {
  /** Where a person authorizes the app for their team; Slack returns them to `redirectUri` with the state. */
  authorizeUrl(state: string, redirectUri: string): string
  /** Exchanges a code once; `redirectUri` is that of `authorizeUrl`. */
  exchange(code: string, redirectUri: string): Promise<SlackGrant | SlackFault>
  /** Public channels, and private ones that the app was invited to; at most 4,000. */
  listChannels(token: string): Promise<SlackConversation[] | SlackFault>
  /** Null on success. */
  revoke(token: string): Promise<SlackFault | null>
  /** Verifies signature and age; null if the button is not ours. */
  readAction(message: SlackMessage): SlackAction | null | Refusal<'invalid_signature'>
  /** Verifies signature and age; null for an event without meaning here. */
  readEvent(message: SlackMessage): SlackEvent | null | Refusal<'invalid_signature'>
  /** Replaces the buttons for everybody if done, else tells only the person who pressed; null on success. */
  answer(action: SlackAction, answer: { line: string; isDone: boolean }): Promise<SlackFault | null>
  close(): Promise<void>
}

export interface SlackLearned {
  /** Hash of a token that Slack no longer accepts, else null. */
  worthlessToken: Buffer | null
  /** Slack asks for more time between messages. */
  isBusy: boolean
}
