/** Longest name or link of a person that is looked at, in UTF-16 units; the lists of the API allow less. */
export const LONGEST_ENTRY = 1000

/** A display name for comparison: compatibility forms unified, lower case, single spaces. */
export function foldName(name: string): string {
  return name
    .slice(0, LONGEST_ENTRY)
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
}
