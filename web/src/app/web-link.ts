/** The address, where a browser may follow it: strangers write `javascript:` links too. */
export function webLink(address: string | null | undefined): string | null {
  return address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null
}
