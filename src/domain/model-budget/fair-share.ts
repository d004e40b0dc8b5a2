/**
 * How a day's budget for the language model stands when a workspace asks for a part of it. Money is in millionths of a
 * dollar.
 */
export interface BudgetStanding {
  /** What may be spent on the day by all workspaces together. */
  budget: number
  /** Spent and set aside on the day, by all and by the workspace that asks. */
  total: number
  own: number
  /**
   * Workspaces that have asked today or did yesterday, the one that asks among them, and one place for all the others
   * as long as there are any.
   */
  places: number
  /**
   * What the others have spent and set aside today, or spent yesterday where that is more, of each at most an equal
   * part of the budget.
   */
  othersClaim: number
}

/** This part of a budget is left for workspaces that have not had their equal part yet. */
const KEPT_PART = 0.1

/** What each workspace is entitled to at least. */
export function equalPart(budget: number, places: number): number {
  return Math.floor(budget / places)
}

/**
 * Whether a workspace may set money aside. Everybody gets an equal part, and a first call where that is dearer at the
 * worst; what others leave of theirs, going by what they used yesterday and today, goes to whoever wants more, but for
 * the last tenth, so that one who comes late in the day finds something.
 */
export function mayReserve({ budget, total, own, places, othersClaim }: BudgetStanding, amount: number): boolean {
  if (total + amount > budget) return false
  if (own === 0 || own + amount <= equalPart(budget, places)) return true
  return own + amount <= budget - othersClaim && (places === 1 || total + amount <= budget * (1 - KEPT_PART))
}
