import { LOCALE } from './words.ts'

const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent' })
const FINE_PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })

/** A share from 0 to 1 in percent, with a decimal below 1 %. */
export function formatShare(value: number): string {
  return Math.abs(value) < 0.01 ? FINE_PERCENT.format(value) : PERCENT.format(value)
}

/** `value` is from 0 to 1; null is for a share of nothing. */
export function Share({ value }: { value: number | null }) {
  return <>{value === null ? '–' : formatShare(value)}</>
}

/** For tables that a spreadsheet reads: four decimals are a hundredth of a percent. */
export function roundedShare(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000
}
