/** In UTF-16 units; the API allows less. */
export const LONGEST_ENTRY = 1000

/** For comparing names: NFKC, lower case, single spaces. */
export function foldAuthorName(name: string): string {
  return name
    .slice(0, LONGEST_ENTRY)
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
}
