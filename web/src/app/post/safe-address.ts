/** The address if a browser may open it; null for everything but http and https: strangers write `javascript:` too. */
export function safeAddress(address: string | null | undefined): string | null {
  if (!address || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return null
  return new URL(address).href
}

/** For every link to an address by a stranger. */
export const STRANGER_REL = 'noopener noreferrer nofollow ugc'
