import { LOCALE } from './words.ts'

const WHOLE = new Intl.NumberFormat(LOCALE)
const SHORT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })

export function formatCount(value: number): string {
  return WHOLE.format(value)
}

/** A count with its noun; `many` is for nouns that do not just take an s. */
export function formatPlural(count: number, singular: string, many = `${singular}s`): string {
  return `${WHOLE.format(count)} ${count === 1 ? singular : many}`
}

/** `12.4K`. */
export function formatShort(value: number): string {
  return SHORT.format(value)
}

/** `short` writes 12.4K and keeps the whole figure as a hint. */
export function Count({ value, short }: { value: number; short?: boolean | undefined }) {
  if (short && value >= 10_000) return <span title={WHOLE.format(value)}>{SHORT.format(value)}</span>
  return <>{WHOLE.format(value)}</>
}
