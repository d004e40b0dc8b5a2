/**
 * Money is a whole number of thirtieths of a US cent. List prices are exact in this unit, so nothing is ever
 * rounded while it is added up, and amounts up to three billion dollars stay exact in a JavaScript number.
 */
export type Units = number & { readonly __thirtiethsOfACent: true }

/** Thirtieths in one cent. */
export const UNITS_PER_CENT = 30

/** Checks that an amount is a whole number of units and brands it. */
export function units(amount: number): Units {
  if (!Number.isSafeInteger(amount))
    throw new RangeError(`an amount of money must be a whole number of units, not ${amount}`)
  return amount as Units
}

export function centsToUnits(cents: number): Units {
  return units(cents * UNITS_PER_CENT)
}

/**
 * The only place where money is rounded: whole cents, half up (towards plus infinity), to be used once on the total
 * that is shown.
 */
export function toCents(amount: Units): number {
  return Math.floor((2 * amount + UNITS_PER_CENT) / (2 * UNITS_PER_CENT))
}
