/** American English puts a comma before the last word, which keeps names with an "and" apart. */
const AND = new Intl.ListFormat('en')
const OR = new Intl.ListFormat('en', { type: 'disjunction' })

/** `a, b, and c`. */
export function listAll(values: readonly string[]): string {
  return AND.format(values)
}

/** `a, b, or c`. */
export function listAny(values: readonly string[]): string {
  return OR.format(values)
}
