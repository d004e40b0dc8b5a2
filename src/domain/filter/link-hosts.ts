import { canParse } from '../../kernel/can-parse.ts'

/** Longer names are none that anything has (RFC 1035); the names above one of a thousand parts would be a megabyte. */
const HOST_MAX = 254

/** A host and every domain above it, down to two labels: what `linkHosts` of a mention holds. */
export function hostAndParents(host: string): string[] {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  if (labels.length < 2 || host.length > HOST_MAX) return [labels.join('.')]
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'))
}

/** The hosts of links and every domain above them, in the form in which filters name them. */
export function linkHostsOf(links: readonly string[]): string[] {
  return links.flatMap((link) => (canParse(link) ? hostAndParents(new URL(link).hostname) : []))
}
