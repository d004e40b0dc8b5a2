/** An invoice of the payment provider's, as far as it is shown. */
export interface Invoice {
  id: string
  /** As it stands on the paper; null before it is final. */
  number: string | null
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  /** What was to be paid, in US cents. */
  amountCents: number
  createdAt: Date
}

/** A part of a list of invoices. */
export interface InvoiceList {
  /** Those that could be read; the others are in the log. */
  invoices: Invoice[]
  /** The last one of all, after which the list goes on; null when there is none. */
  last: string | null
  more: boolean
}

/** An invoice with whom it is for and where it can be read. */
export interface InvoicePage {
  customerId: string | null
  /** Null before the invoice is final. */
  url: string | null
}
