import { fromId, type Id, toId, type Uuid } from '../../kernel/ids.ts'

export type DeliveryName = { kind: 'delivery'; id: Uuid } | { kind: 'digest'; alertId: Uuid; period: string }

export type DigestId = `feed_${string}:${string}`

/** Rule, colon and hour. */
export const DELIVERY_NAME_MAX = 47

const TAIL = '[0-7][0-9a-hjkmnp-tv-z]{25}'
const DAY = '\\d{4}-\\d{2}-\\d{2}'
export const DELIVERY_NAME_PATTERN = `^dlv_${TAIL}$|^feed_${TAIL}:(?:${DAY}|h:${DAY}T\\d{2})$`

const READABLE = new RegExp(DELIVERY_NAME_PATTERN)

/** Null means not found. */
export function readDeliveryName(text: string): DeliveryName | null {
  if (!READABLE.test(text)) return null
  const colon = text.indexOf(':')
  if (colon < 0) return { kind: 'delivery', id: fromId('dlv', text)! }
  return { kind: 'digest', alertId: fromId('feed', text.slice(0, colon))!, period: text.slice(colon + 1) }
}

/** Rule and period for a digest sent by its rule; the id for others and replays. */
export function listedName(
  id: Uuid,
  digest: { alertId: Uuid | null; period: string | null; replayOf: Uuid | null },
): Id<'dlv'> | DigestId {
  const { alertId, period, replayOf } = digest
  return alertId !== null && period !== null && replayOf === null
    ? `${toId('feed', alertId)}:${period}`
    : toId('dlv', id)
}
