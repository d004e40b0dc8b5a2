import { fromId, type Id, toId, type Uuid } from '../../kernel/ids.ts'

/** How callers name a delivery: by its own id, or, a digest of a rule, by the rule and the name of its period. */
export type DeliveryName = { kind: 'delivery'; id: Uuid } | { kind: 'digest'; alertId: Uuid; period: string }

/** A digest as the log lists it. */
export type DigestId = `feed_${string}:${string}`

/** The longest name: a rule, a colon and an hour. */
export const DELIVERY_NAME_MAX = 47

const TAIL = '[0-7][0-9a-hjkmnp-tv-z]{25}'
const DAY = '\\d{4}-\\d{2}-\\d{2}'
/** What a name looks like, as the pattern of a JSON Schema. */
export const DELIVERY_NAME_PATTERN = `^dlv_${TAIL}$|^feed_${TAIL}:(?:${DAY}|h:${DAY}T\\d{2})$`

const READABLE = new RegExp(DELIVERY_NAME_PATTERN)

/** Reads what a caller sends; null when it names no delivery, which is answered as not found. */
export function readDeliveryName(text: string): DeliveryName | null {
  if (!READABLE.test(text)) return null
  const colon = text.indexOf(':')
  if (colon < 0) return { kind: 'delivery', id: fromId('dlv', text)! }
  return { kind: 'digest', alertId: fromId('feed', text.slice(0, colon))!, period: text.slice(colon + 1) }
}

/**
 * Under which name the log lists a delivery: a digest that was sent by its rule under rule and period, everything else,
 * replays of digests too, under its own id.
 */
export function listedName(
  id: Uuid,
  digest: { alertId: Uuid | null; period: string | null; replayOf: Uuid | null },
): Id<'dlv'> | DigestId {
  const { alertId, period, replayOf } = digest
  return alertId !== null && period !== null && replayOf === null
    ? `${toId('feed', alertId)}:${period}`
    : toId('dlv', id)
}
