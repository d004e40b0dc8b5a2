import { canParse } from '../../kernel/can-parse.ts'

/** Path and query within this installation; null otherwise, since sign-in must not become an open redirect. */
export function localPath(next: string | null | undefined, publicUrl: string): string | null {
  if (
    typeof next !== 'string' ||
    next.length > NEXT_LIMIT ||
    !/^\/(?![/\\])[^\\]*$/.test(next) ||
    !PRINTABLE.test(next)
  )
    return null
  if (!canParse(next, publicUrl)) return null
  const { origin, pathname, search } = new URL(next, publicUrl)
  // /.//elsewhere is local only until its dots are resolved.
  return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? pathname + search : null
}

export function withNext(path: string, next: string | null): string {
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`
}

/** Characters. Fits the head of a request. */
const NEXT_LIMIT = 6000
/** Browsers remove line breaks and tabs, which could join slashes. */
const PRINTABLE = /^[\x21-\x7e]*$/
