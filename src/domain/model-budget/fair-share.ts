/** The budget of one day, in millionths of a dollar. */
export interface BudgetStanding {
  budget: number
  /** Spent and reserved today. */
  total: number
  own: number
  /** Workspaces that asked today or yesterday, plus one place for all others, if any. */
  places: number
  /** Per other workspace the higher of today's and yesterday's spending, at most an equal part. */
  othersClaim: number
}

/** Share of the budget left for workspaces below their equal part. */
const KEPT_PART = 0.1

export function equalPart(budget: number, places: number): number {
  return Math.floor(budget / places)
}

/**
 * Each workspace gets an equal part, or one call above it. It may use what others probably leave, except the last
 * tenth, kept for workspaces that come late.
 */
export function mayReserve({ budget, total, own, places, othersClaim }: BudgetStanding, amount: number): boolean {
  if (total + amount > budget) return false
  if (own === 0 || own + amount <= equalPart(budget, places)) return true
  return own + amount <= budget - othersClaim && (places === 1 || total + amount <= budget * (1 - KEPT_PART))
}
