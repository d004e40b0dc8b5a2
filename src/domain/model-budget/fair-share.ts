/** A day's budget of the language model, in millionths of a dollar. */
export interface BudgetStanding {
  budget: number
  /** Spent and reserved today, by all and by the asking workspace. */
  total: number
  own: number
  /**
   * Workspaces that asked today or yesterday, including the asking one, plus one for future ones if there are any
   * others.
   */
  places: number
  /** For each other workspace today's spending or yesterday's, whichever is more, at most an equal part. */
  othersClaim: number
}

/** Share of the budget left for workspaces below their equal part. */
const KEPT_PART = 0.1

export function equalPart(budget: number, places: number): number {
  return Math.floor(budget / places)
}

/**
 * Whether a reservation fits. Each workspace gets an equal part, and a first call even above it. Beyond that it may use
 * what others probably leave, except the last tenth, which is for workspaces that come late in the day.
 */
export function mayReserve({ budget, total, own, places, othersClaim }: BudgetStanding, amount: number): boolean {
  if (total + amount > budget) return false
  if (own === 0 || own + amount <= equalPart(budget, places)) return true
  return own + amount <= budget - othersClaim && (places === 1 || total + amount <= budget * (1 - KEPT_PART))
}
