const JUDGED = 20

/**
 * Watches a live feed for a change of form. Single unreadable messages are exceptions; more than half of the last 20
 * mean that the feed has changed.
 */
export class ShapeWatch {
  private readonly holds: (number | null)[] = []

  /** `hold` is the position in front of an unreadable message, infinite if unknown; null for a readable one. */
  note(hold: number | null): void {
    this.holds.push(hold)
    if (this.holds.length > JUDGED) this.holds.shift()
  }

  get isLost(): boolean {
    return this.holds.filter((hold) => hold !== null).length * 2 > JUDGED
  }

  /** The cursor waits here until 20 later messages show an exception, so that a change of form loses nothing. */
  get heldAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.holds.filter((hold) => hold !== null))
  }
}
