import type { Channels, SlackApp, TelegramBot } from '../channels/contract.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { MailTransport } from '../kernel/mail.ts'
import type { Sealer } from '../kernel/sealing.ts'
import type { LanguageModel } from '../models/contract.ts'
import type { Payments } from '../payments/contract.ts'
import type { Sources } from '../sources/contract.ts'
import type { Database } from '../store/database.ts'
import type { AroundSendings } from './around-sending.ts'

/** What the whole installation shares and main hands in once. */
export interface Services {
  db: Database
  clock: Clock
  /** The origin under which callers reach the installation, without a slash at the end. */
  publicUrl: string
  /** `unmetered` counts usage but charges, pauses and caps nothing. */
  billing: 'metered' | 'unmetered'
  /** Who may make an account beyond the first person: anybody with an e-mail address, or who was invited. */
  signUp: 'open' | 'invited'
  /** Every kind of channel that this installation can set up and send through. */
  channels: Channels
  /** What sending through some kinds does in the database around each attempt. */
  around: AroundSendings
  /** Seals the secrets of channels before they are stored. */
  sealer: Sealer
  /** Sends mail; null when this installation has no mail server. */
  mail: MailTransport | null
  /** The app at Slack; null when this installation has none. */
  slack: SlackApp | null
  /** The bot through which Telegram channels speak; null when this installation has none. */
  telegram: TelegramBot | null
  /** Takes payments; null when this installation has no payment provider. */
  payments: Payments | null
  /** Writes in words what rules cannot; null when this installation has no language model. */
  languageModel: LanguageModel | null
  /** Every platform as it is set up, and the doors of those that can be asked. */
  sources: Sources
  /** For what fails without failing the caller, who is therefore not told. */
  log: Log
}

/** What is done for a browser in which nobody may be signed in yet. */
export interface Visited extends Services {
  /**
   * Whether the browser is on the machine of the installation, and nobody else reaches it; a stranger is taken to be
   * anywhere.
   */
  atHome?: boolean
}

/** What a command is handed: one workspace, the right to change it, and the services of the installation. */
export interface Writing extends Services {
  workspaceId: Uuid
}
