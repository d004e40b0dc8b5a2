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

/** An invoice with whom it is for and where it can be read. */
export interface InvoicePage {
  customerId: string | null
  /** Null before the invoice is final. */
  url: string | null
}
