/** `isBillable` of `domain/mention/billing.ts` in SQL. */
export const BILLABLE = '(scored_at is not null and not failed and not free)'
