/** What may be sent on when a redirect leads to another host, even of the same platform. */
export function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:authorization|cookie|.*api-?key)$/i.test(name)),
  )
}
