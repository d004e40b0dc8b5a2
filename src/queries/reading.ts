import type { PaymentFault } from '../domain/payment/fault.ts'
import type { InvoiceList, InvoicePage } from '../domain/payment/invoice.ts'
import type { Platform } from '../domain/platform/platforms.ts'
import type { SlackFault } from '../domain/slack/fault.ts'
import type { SlackConversation } from '../domain/slack/slack.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Sealer } from '../kernel/sealing.ts'
import type { LanguageModel } from '../models/contract.ts'
import type { Reader } from '../store/database.ts'

/** What the read side is handed: one workspace, a way to read, and the time. Nothing here can change anything. */
export interface Reading {
  workspaceId: Uuid
  db: Reader
  clock: Clock
  /** `unmetered` counts usage but charges, pauses and caps nothing by the wallet. */
  billing: 'metered' | 'unmetered'
  sources: PlatformSetups
  /** The origin under which callers reach the installation, without a slash at the end. */
  publicUrl: string
  /**
   * Makes what is shown unreadable to whom it is not for, such as the inside of a link, opens what a provider is to be
   * asked with, and derives the addresses of feeds.
   */
  sealer: Pick<Sealer, 'seal' | 'open' | 'derive'>
  /** Null when the installation has no mail server. There is no way to send anything from here. */
  mail: object | null
  /** Null when the installation has no app at Slack. There is no way to post anything from here. */
  slack: SlackLists | null
  /** Null when the installation has no payment provider. There is no way to charge anybody from here. */
  payments: Invoices | null
  /** Null when the installation has no language model. */
  languageModel: LanguageModel | null
  /** For what fails without failing the caller, who is therefore not told. */
  log: Pick<Log, 'warn'>
}

/** What Slack lists of a team. */
export interface SlackLists {
  listChannels(token: string): Promise<SlackConversation[] | SlackFault>
}

/** The invoices that the payment provider keeps. */
export interface Invoices {
  /** Those of a customer, newest first, after one of them. */
  listInvoices(customerId: string, page: { limit: number; after: string | null }): Promise<InvoiceList | PaymentFault>
  getInvoice(id: string): Promise<InvoicePage | PaymentFault>
}

/** How the platforms are set up, as far as it is shown. There is no way to ask a platform from here. */
export interface PlatformSetups {
  /** Every platform, in their order. */
  readonly setups: readonly PlatformSetup[]
}

export interface PlatformSetup {
  platform: Platform
  mode: 'live' | 'search' | 'reviews'
  /** Null when the platform is not collected from. A live feed has no interval. */
  source: { readonly mode: string; readonly limits: readonly QuotaLimit[]; readonly pollSeconds?: number } | null
  missing: readonly string[]
  off: boolean
}

/** A limit of one quota; only those by day are shown. */
export type QuotaLimit =
  | { readonly quota: string; readonly kind: 'paced' }
  | { readonly quota: string; readonly kind: 'daily'; readonly most: number; readonly timeZone: string }
