import { readWordList } from '../kernel/word-list.ts'

/** Without country domains alone, `node.js` would look like a domain. */
const COUNTRIES = new Set(readWordList('matching/country-domains'))
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,62})\.)+(xn--[a-z0-9-]{1,59}|[\p{L}\p{M}]{2,24})(?::\d{1,5})?(?:[/?#]\S*)?$/u
const SCHEME = /^[a-z][a-z0-9+.-]{0,20}:\/\/\S/

/** Whether links are searched for a term too. */
export function isAddress(folded: string): boolean {
  if (SCHEME.test(folded)) return true
  const top = DOMAIN.exec(folded)?.[1]
  return top !== undefined && (!/^[a-z]{2}$/.test(top) || COUNTRIES.has(top))
}
