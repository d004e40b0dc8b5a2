/**
 * The error codes of OAuth that are answered here, with the status of those that go to a program and not through a
 * browser.
 */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 403,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  // Not of the protocol, which has none for it at these endpoints: the code of the interface.
  rate_limited: 429,
  server_error: 500,
} as const
export type OAuthErrorCode = keyof typeof OAUTH_ERRORS

/**
 * What OAuth answers when a rule of it says no: a code of the protocol, and a sentence for the developer of the client.
 * The sentence is of printable ASCII without quotation marks and backslashes, which is all that the protocol lets
 * through.
 */
export class OAuthRefusal {
  readonly error: OAuthErrorCode
  readonly description: string

  constructor(error: OAuthErrorCode, description: string) {
    this.error = error
    this.description = description
  }
}

export function refuseOAuth(error: OAuthErrorCode, description: string): OAuthRefusal {
  return new OAuthRefusal(error, description)
}

export function isOAuthRefusal(value: unknown): value is OAuthRefusal {
  return value instanceof OAuthRefusal
}
