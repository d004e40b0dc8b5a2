import { LOCALE } from './words.ts'

const DOLLARS = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
const WHOLE_DOLLARS = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 0,
})
const CENTS = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 })

/** US cents as dollars; parts of a cent, which only a quotient has, as cents below a dollar: `1.9 ¢`. */
export function formatMoney(cents: number): string {
  if (!Number.isInteger(cents) && Math.abs(cents) < 100) return `${CENTS.format(cents)}\u00a0¢`
  return DOLLARS.format(cents / 100)
}

/** A price of one thing: cents below a dollar, so that prices in a column compare at a glance. */
export function formatPrice(cents: number | null): string {
  if (cents === null) return '–'
  return cents < 100 ? `${CENTS.format(cents)}\u00a0¢` : formatMoney(cents)
}

/** For amounts that are chosen, such as a top-up: no cents where there are none. */
export function formatRoundMoney(cents: number): string {
  return cents % 100 === 0 ? WHOLE_DOLLARS.format(cents / 100) : formatMoney(cents)
}

/** `cents` are US cents, as in every amount of the API. */
export function Money({ cents }: { cents: number }) {
  return <>{formatMoney(cents)}</>
}
