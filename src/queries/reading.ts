import type { PaymentFault } from '../domain/payment/fault.ts'
import type { InvoiceList, InvoicePage } from '../domain/payment/invoice.ts'
import type { Platform } from '../domain/platform/platforms.ts'
import type { SlackFault } from '../domain/slack/fault.ts'
import type { SlackConversation } from '../domain/slack/slack.ts'
import type { MissingSetting } from '../domain/source/missing-setting.ts'
import type { Retention } from '../domain/workspace/retention.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Sealer } from '../kernel/sealing.ts'
import type { LanguageModel } from '../models/contract.ts'
import type { Reader } from '../store/database.ts'

/** Everything a query may use. Nothing here can change state. */
export interface QueryContext {
  workspaceId: Uuid
  db: Reader
  clock: Clock
  /** `unmetered` counts usage but never charges, pauses or caps by the wallet. */
  billing: 'metered' | 'unmetered'
  retention: Retention
  sources: PlatformSetups
  /** The public origin, without a final slash. */
  publicUrl: string
  /** Seals links, opens the provider credentials that a query needs, derives feed addresses. */
  sealer: Pick<Sealer, 'seal' | 'open' | 'derive'>
  /** Null without a mail server. Cannot send. */
  mail: object | null
  /** Null without a Slack app. Cannot post. */
  slack: SlackLists | null
  /** Null without a payment provider. Cannot charge. */
  payments: Invoices | null
  /** Null without a language model. */
  languageModel: LanguageModel | null
  /** The log is for failures that do not fail the caller. */
  log: Pick<Log, 'warn'>
}

export interface SlackLists {
  listChannels(token: string): Promise<SlackConversation[] | SlackFault>
}

export interface Invoices {
  /** Newest first, behind `after`. */
  listInvoices(customerId: string, page: { limit: number; after: string | null }): Promise<InvoiceList | PaymentFault>
  getInvoice(id: string): Promise<InvoicePage | PaymentFault>
}

/** The setup of the platforms. Cannot query them. */
export interface PlatformSetups {
  readonly setups: readonly PlatformSetup[]
}

export interface PlatformSetup {
  platform: Platform
  mode: 'live' | 'search' | 'reviews'
  /** Null when the platform is not collected. A live feed has no interval. */
  source: {
    readonly mode: string
    readonly limits: readonly QuotaLimit[]
    readonly pollSeconds?: number
    /** The platform whose quotas it shares. */
    readonly countsWith?: Platform
  } | null
  missing: readonly MissingSetting[]
  off: boolean
}

/** Only daily limits are shown. */
export type QuotaLimit =
  | { readonly quota: string; readonly kind: 'paced' }
  | { readonly quota: string; readonly kind: 'daily'; readonly most: number; readonly timeZone: string }
