/**
 * Lets a client in another origin's page begin sign-in: clients do so after a 403 with insufficient_scope. The later
 * calls are unknown, so every scope is named and the person chooses.
 */
export function challengeToPage(publicUrl: string): string {
  return challengeOf(publicUrl, ['error="insufficient_scope"'], 'read write')
}

export function challengeOf(publicUrl: string, error: readonly string[], scope: string): string {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`
  return `Bearer ${[metadata, ...error, `scope="${scope}"`].join(', ')}`
}
