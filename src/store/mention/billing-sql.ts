/**
 * Whether a stored mention is billable, of the columns of its table: `isBillable` of `domain/mention/billing.ts` in
 * SQL. A mention whose score has failed for good has an instant of scoring and no verdict.
 */
export const BILLABLE = '(scored_at is not null and not failed and not free)'
