/** `write` includes reading. */
export type Scope = 'read' | 'write'

export const SCOPE_NAMES = ['read', 'write'] as const

/** RFC 6749, appendix A.4. */
const FORM = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/**
 * `unsaid` without a known name: clients ask for scopes of other servers and learn what was granted. Null for a
 * malformed list.
 */
export function readScope(text: string | null, unsaid: Scope = 'read'): Scope | null {
  if (text === null) return unsaid
  if (!FORM.test(text)) return null
  const names = text.split(' ')
  if (names.includes('write')) return 'write'
  return names.includes('read') ? 'read' : unsaid
}

export function scopeText(scope: Scope): string {
  return scope === 'write' ? 'read write' : 'read'
}

export function within(asked: Scope, held: Scope): Scope {
  return held === 'write' ? asked : 'read'
}
