/** Why a delivery is held until it continues without anyone's action. */
export const ROOM_REASONS = ['email_hourly_limit', 'waiting_limit'] as const
export type RoomReason = (typeof ROOM_REASONS)[number]

/** About how many deliveries of a workspace wait to be sent; more are held until there is room. */
export const WAITING_MAX = 20_000
