import type { FindKeys } from '../../commands/oauth/accept-assertion.ts'
import type { FetchDocument } from '../../commands/oauth/know-client.ts'
import type { PublicKeys } from '../../commands/oauth/public-keys.ts'
import type { Services } from '../../commands/writing.ts'
import type { Log } from '../../kernel/log.ts'
import type { RateLimits } from '../../operations/rate-limit.ts'

/** What the endpoints of OAuth hold. */
export interface OAuthDoor {
  services: Services
  log: Log
  limits: RateLimits
  /** Reads what a client says of itself at the address that is its id; null where clients have to register. */
  fetchDocument: FetchDocument | null
  /** Finds the public keys of a client at the address that it named. */
  findKeys: FindKeys
  /** Checks what clients sign. */
  publicKeys: PublicKeys
}

/** Where each endpoint is, below the public address. */
export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const
