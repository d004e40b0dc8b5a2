/** Why a delivery is held that goes on by itself, as the log tells it. */
export const ROOM_REASONS = ['email_hourly_limit', 'waiting_limit'] as const
export type RoomReason = (typeof ROOM_REASONS)[number]

/**
 * About so many deliveries of one workspace wait to be sent; what comes beyond is held, and goes on as there is room
 * again.
 */
export const WAITING_MAX = 20_000
