/** Each takes up to 1 MB of the server's memory a connection. */
export const RECURRING_TEXTS = 16

/** The names by which the connections of a database prepare statements. */
export class RecurringTexts {
  private readonly names = new Map<string, string>()

  /** Undefined for texts beyond the first RECURRING_TEXTS. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text)
    if (known !== undefined || this.names.size === RECURRING_TEXTS) return known
    const name = `recurring-${this.names.size}`
    this.names.set(text, name)
    return name
  }
}
