/** What a client may do in a workspace. `write` includes reading. */
export type Scope = 'read' | 'write'

/** The names of scopes that a client can ask for. */
export const SCOPE_NAMES = ['read', 'write'] as const

/**
 * RFC 6749, appendix A.4: tokens of printable characters without quotation mark and backslash, divided by single
 * spaces.
 */
const FORM = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/**
 * Reads what a client asks for: `unsaid` when it names none of ours. Names that are not ours are passed over, because
 * clients ask for those of other servers by habit and are told what they got; null for a text that is no list of names.
 */
export function readScope(text: string | null, unsaid: Scope = 'read'): Scope | null {
  if (text === null) return unsaid
  if (!FORM.test(text)) return null
  const names = text.split(' ')
  if (names.includes('write')) return 'write'
  return names.includes('read') ? 'read' : unsaid
}

/** A scope as clients are told of it. */
export function scopeText(scope: Scope): string {
  return scope === 'write' ? 'read write' : 'read'
}

/** What is left of a wish for who may have `held`. */
export function within(asked: Scope, held: Scope): Scope {
  return held === 'write' ? asked : 'read'
}
