export interface Invoice {
  id: string
  /** Null before the invoice is final. */
  number: string | null
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  amountCents: number
  createdAt: Date
}

export interface InvoiceList {
  /** Unreadable invoices are left out and logged. */
  invoices: Invoice[]
  /** Cursor of the next page. */
  last: string | null
  more: boolean
}

export interface InvoicePage {
  customerId: string | null
  /** Null before the invoice is final. */
  url: string | null
}
