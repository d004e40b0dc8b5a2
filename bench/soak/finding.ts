/** What was found wrong, with a few examples for whoever has to find out why. */
export interface Finding {
  count: number
  examples: string[]
}

export function findingOf(wrong: readonly string[]): Finding {
  return { count: wrong.length, examples: wrong.slice(0, 5) }
}
