/** Longer than the stored text of any post. */
const TEXT_UNITS = 65_536
const ADDRESS = /(?:https?:\/\/|(?<![\p{L}\p{N}_.@/-])www\.)[^\s<>"]{3,2048}/giu
const CLOSING = new Set(".,;:!?'’”»*")
const BRACKETS = new Map([
  [')', '('],
  [']', '['],
])

/** Repeated ones included, without the surrounding punctuation. `www.` addresses get a scheme. */
export function addressesIn(text: string): string[] {
  return (text.slice(0, TEXT_UNITS).match(ADDRESS) ?? []).map((address) => withScheme(withoutClosing(address)))
}

function withScheme(address: string): string {
  return /^www\./i.test(address) ? `https://${address}` : address
}

/** A closing bracket belongs to the address only if the address opens it. */
function withoutClosing(address: string): string {
  const surplus = new Map(
    [...BRACKETS].map(([close, open]) => [close, address.split(close).length - address.split(open).length]),
  )
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address[end - 1]!
    const unopened = surplus.get(last) ?? 0
    if (unopened > 0) surplus.set(last, unopened - 1)
    else if (!CLOSING.has(last)) break
  }
  return address.slice(0, end)
}
