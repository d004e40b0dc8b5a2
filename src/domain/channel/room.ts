export const ROOM_REASONS = ['email_hourly_limit', 'waiting_limit'] as const
export type RoomReason = (typeof ROOM_REASONS)[number]

/** Approximate; more deliveries of a workspace are held. */
export const WAITING_MAX = 20_000
