import { canParse } from '../../kernel/can-parse.ts'

/**
 * Where somebody goes on to after signing in, when it is a place of this installation: path and query, of which the
 * path begins with one slash. Null for every other text, for a link to our sign-in must not lead to a stranger's page.
 */
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
  // A path such as /.//elsewhere is ours only until its dots are resolved.
  return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? pathname + search : null
}

/** The same in the address of a page that takes it along; empty when there is nothing to take along. */
export function withNext(path: string, next: string | null): string {
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`
}

/** Characters; more than any page of ours needs, and little enough for the head of a request. */
const NEXT_LIMIT = 6000
/** Browsers drop line breaks and tabs from addresses, which can bring slashes together. */
const PRINTABLE = /^[\x21-\x7e]*$/
