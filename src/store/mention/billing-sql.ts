/** `isBillable` of `domain/mention/billing.ts` in SQL over the mention's columns. */
export const BILLABLE = '(scored_at is not null and not failed and not free)'
