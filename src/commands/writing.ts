import type { Channels, SlackApp, TelegramBot } from '../channels/contract.ts'
import type { Retention } from '../domain/workspace/retention.ts'
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

export interface Services {
  db: Database
  clock: Clock
  /** Public origin of the installation, without a trailing slash. */
  publicUrl: string
  /** `unmetered` counts usage but charges, pauses and caps nothing. */
  billing: 'metered' | 'unmetered'
  /** After the first person. */
  signUp: 'open' | 'invited'
  retention: Retention
  channels: Channels
  around: AroundSendings
  sealer: Sealer
  /** Null without a mail server, like the services below. */
  mail: MailTransport | null
  slack: SlackApp | null
  telegram: TelegramBot | null
  payments: Payments | null
  languageModel: LanguageModel | null
  sources: Sources
  /** For failures that do not fail the caller. */
  log: Log
}

export interface Visited extends Services {
  /** True on the machine of an installation that nobody else can reach. */
  atHome?: boolean
}

export interface WritingContext extends Services {
  workspaceId: Uuid
}
