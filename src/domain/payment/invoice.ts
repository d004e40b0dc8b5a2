export interface Invoice {
  id: string
  /** Null before the invoice is final. */
  number: string | null
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  amountCents: number
  createdAt: Date
}

export interface InvoiceList {
  /** Invoices that were readable; the others are logged. */
  invoices: Invoice[]
  /** The cursor of the next page; null without invoices. */
  last: string | null
  more: boolean
}

export interface InvoicePage {
  customerId: string | null
  /** Null before the invoice is final. */
  url: string | null
}
