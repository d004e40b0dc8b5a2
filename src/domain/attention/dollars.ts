/** For example $5.80 or -$1.20. */
export function dollarsOf(cents: number): string {
  return `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`
}
