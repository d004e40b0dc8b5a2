import type { FindKeys } from '../../commands/oauth/accept-assertion.ts'
import type { FetchDocument } from '../../commands/oauth/know-client.ts'
import type { PublicKeys } from '../../commands/oauth/public-keys.ts'
import type { Services } from '../../commands/writing.ts'
import type { Log } from '../../kernel/log.ts'
import type { RateLimits } from '../../operations/rate-limit.ts'

export interface OAuthContext {
  services: Services
  log: Log
  limits: RateLimits
  /** Reads the metadata document at a client id; null when clients must register. */
  fetchDocument: FetchDocument | null
  /** Finds a client's public keys at its jwks_uri. */
  findKeys: FindKeys
  publicKeys: PublicKeys
}

export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const
