/**
 * Whether a text is an address, taken relative to `base` where one is given. In place of URL.canParse, which in Node.js
 * 20 refuses addresses with letters such as ü once it was called so often that it was compiled.
 */
export function canParse(address: string, base?: string): boolean {
  try {
    new URL(address, base)
    return true
  } catch {
    return false
  }
}
