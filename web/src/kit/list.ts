import { LIST_LOCALE } from './words.ts'

const AND = new Intl.ListFormat(LIST_LOCALE)
const OR = new Intl.ListFormat(LIST_LOCALE, { type: 'disjunction' })

/** `a, b, and c`. */
export function listAll(values: readonly string[]): string {
  return AND.format(values)
}

/** `a, b, or c`. */
export function listAny(values: readonly string[]): string {
  return OR.format(values)
}
