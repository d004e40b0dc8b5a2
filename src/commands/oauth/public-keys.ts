import { type CryptoKey, compactVerify, importJWK } from 'jose'
import type { ClientAssertion } from '../../domain/oauth/client-assertion.ts'
import type { ClientKey } from '../../domain/oauth/client-keys.ts'
import { boundedCache } from '../../kernel/concurrency/bounded-cache.ts'

/** An LRU limit. */
const KEPT_MAX = 500

/** Verifies off the main thread, and imports each key once. */
export class PublicKeys {
  private readonly kept = boundedCache<Promise<CryptoKey | null>>({ most: KEPT_MAX })

  async hasSigned(key: ClientKey, { algorithm, signed, signature }: ClientAssertion): Promise<boolean> {
    const ready = await this.read(key)
    if (ready === null) return false
    return compactVerify(`${signed}.${signature}`, ready, { algorithms: [algorithm] }).then(
      () => true,
      () => false,
    )
  }

  private read({ algorithm, jwk }: ClientKey): Promise<CryptoKey | null> {
    const name = JSON.stringify([algorithm, jwk])
    // Failures are cached too: an invalid key, such as a point off the curve, stays invalid.
    const ready =
      this.kept.get(name) ??
      importJWK(jwk, algorithm).then(
        (key) => (key instanceof Uint8Array ? null : key),
        () => null,
      )
    this.kept.set(name, ready)
    return ready
  }
}
