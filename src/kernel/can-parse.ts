/** In place of URL.canParse, which in Node.js 20 refuses addresses with letters such as ü once V8 has optimised it. */
export function canParse(address: string, base?: string): boolean {
  try {
    new URL(address, base)
    return true
  } catch {
    return false
  }
}
