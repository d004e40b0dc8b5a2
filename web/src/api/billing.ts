import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

export type Wallet = Schema<'Wallet'>
export type AutoRecharge = Schema<'AutoRecharge'>
export type AutoRechargeChange = Schema<'UpdateAutoRechargeBody'>
export type LedgerEntry = Schema<'LedgerEntry'>
export type LedgerQuery = NonNullable<operations['listLedger']['parameters']['query']>
export type Invoice = Schema<'Invoice'>

export function getWallet(signal: AbortSignal): Promise<Wallet> {
  return dataOf(api.GET('/v1/billing/wallet', { signal }))
}

export function listLedger(query: LedgerQuery, signal: AbortSignal): Promise<Schema<'LedgerPage'>> {
  return dataOf(api.GET('/v1/billing/ledger', { params: { query }, signal }))
}

/** The address of a page on which a person pays. */
export function createTopUp(body: Schema<'CreateTopUpBody'>): Promise<Schema<'CreateTopUpAnswer'>> {
  return dataOf(api.POST('/v1/billing/top-ups', { body }))
}

export function updateAutoRecharge(body: AutoRechargeChange): Promise<AutoRecharge> {
  return dataOf(api.PATCH('/v1/billing/auto-recharge', { body }))
}

export function listInvoices(cursor: string | null, signal: AbortSignal): Promise<Schema<'InvoicePage'>> {
  const query = { limit: 25, ...(cursor === null ? {} : { cursor }) }
  return dataOf(api.GET('/v1/billing/invoices', { params: { query }, signal }))
}

export function getInvoiceUrl(id: string): Promise<Schema<'GetInvoiceUrlAnswer'>> {
  return dataOf(api.GET('/v1/billing/invoices/{id}/url', { params: { path: { id } } }))
}
