/**
 * Thirtieths of a US cent, in which list prices are exact, so sums are never rounded. Exact up to three billion dollars
 * in a JavaScript number.
 */
export type Units = number & { readonly __thirtiethsOfACent: true }

export const UNITS_PER_CENT = 30

/** Throws when the amount is not a whole number. */
export function units(amount: number): Units {
  if (!Number.isSafeInteger(amount))
    throw new RangeError(`an amount of money must be a whole number of units, not ${amount}`)
  return amount as Units
}

export function centsToUnits(cents: number): Units {
  return units(cents * UNITS_PER_CENT)
}

/** The only rounding of money: half up to whole cents, once on a shown total. */
export function toCents(amount: Units): number {
  return Math.floor((2 * amount + UNITS_PER_CENT) / (2 * UNITS_PER_CENT))
}
