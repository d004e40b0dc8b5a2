import type { FindKeys } from '../../commands/oauth/accept-assertion.ts'
import type { FetchDocument } from '../../commands/oauth/know-client.ts'
import { freshMs, readJson } from '../../domain/oauth/client-document.ts'
import { type ClientKey, readKeySet } from '../../domain/oauth/client-keys.ts'
import { type Clock, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { boundedCache } from '../../kernel/concurrency/bounded-cache.ts'

/** Shortest interval between reads of one address. */
const READ_AT_MOST_EVERY_MS = MINUTE_MS
/** Most cached addresses. */
const ADDRESSES_MAX = 500

interface Reading {
  begunAt: Date
  found: Promise<{ keys: readonly ClientKey[]; freshUntil: Date } | null>
}

/**
 * Caches keys at client addresses within the bounds for documents. An unknown key causes an earlier read, because
 * clients rotate keys without notice.
 */
export function createKeyRing(fetchDocument: FetchDocument, clock: Clock): FindKeys {
  const readings = boundedCache<Reading>({ most: ADDRESSES_MAX })

  const read = async (address: string, at: Date) => {
    const document = await fetchDocument(address)
    const set = document === null ? 'could not be read' : readJson(document)
    return document === null || typeof set === 'string'
      ? null
      : { keys: readKeySet(set), freshUntil: plus(at, freshMs(document)) }
  }
  const begin = (address: string, at: Date): Reading => {
    const reading = { begunAt: at, found: read(address, at) }
    readings.set(address, reading)
    return reading
  }

  return async (address, isWanted) => {
    const now = clock.now()
    const known = readings.get(address)
    const found = known === undefined ? null : await known.found
    const isEnough = found !== null && found.freshUntil > now && found.keys.some(isWanted)
    if (known !== undefined && (isEnough || now < plus(known.begunAt, READ_AT_MOST_EVERY_MS)))
      return found?.keys ?? null
    return (await begin(address, now).found)?.keys ?? null
  }
}
