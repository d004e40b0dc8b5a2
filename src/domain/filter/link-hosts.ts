import { canParse } from '../../kernel/can-parse.ts'

/** Longest host (RFC 1035). The parents of a thousand labels would take a megabyte. */
const HOST_MAX = 254

/** A host and its parent domains down to two labels. */
export function hostAndParents(host: string): string[] {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  if (labels.length < 2 || host.length > HOST_MAX) return [labels.join('.')]
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'))
}

export function linkHostsOf(links: readonly string[]): string[] {
  return links.flatMap((link) => (canParse(link) ? hostAndParents(new URL(link).hostname) : []))
}
