/** US cents of an amount in dollars as a person types it: `50`, `$1,250.50`. Null for another text. */
export function centsIn(text: string): number | null {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '')
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null
}

/** An amount as a form holds it, without cents where there are none. */
export function dollarsOf(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
}

/** Whether the amount is one that the limits, in cents, allow. */
export function isWithin(cents: number | null, min: number, max: number): cents is number {
  return cents !== null && cents >= min && cents <= max
}
