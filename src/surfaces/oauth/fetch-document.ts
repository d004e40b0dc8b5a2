import { request } from 'undici'
import type { FetchDocument } from '../../commands/oauth/know-client.ts'
import { DOCUMENT_BYTES, DOCUMENT_MS } from '../../domain/oauth/client-document.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Egress } from '../../kernel/egress.ts'
import { readAtMost } from '../http/read-at-most.ts'

/**
 * The address is chosen by strangers: egress allows only public addresses, redirects are not followed, and size and
 * time are limited.
 */
export function createDocumentFetch(egress: Egress, clock: Clock, userAgent: string): FetchDocument {
  return async (address) => {
    if (egress.check(address) !== null) return null
    const cut = new AbortController()
    const putOff = clock.alarm(DOCUMENT_MS, () => cut.abort())
    try {
      const reply = await request(address, {
        dispatcher: egress.dispatcher,
        signal: cut.signal,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': userAgent },
      })
      const bytes = await readAtMost(reply.body, DOCUMENT_BYTES)
      if (bytes === null || one(reply.headers['content-encoding']) !== null) return null
      const age = one(reply.headers['age'])
      return {
        status: reply.statusCode,
        contentType: one(reply.headers['content-type']),
        cacheControl: one(reply.headers['cache-control']),
        ageSeconds: age !== null && /^\d{1,10}$/.test(age) ? Number(age) : null,
        text: bytes.toString('utf8'),
      }
    } catch {
      // The reason would tell a stranger about our network.
      return null
    } finally {
      putOff()
    }
  }
}

function one(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value.join(', ') : value) ?? null
}
