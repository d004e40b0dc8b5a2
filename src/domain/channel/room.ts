export const ROOM_REASONS = ['email_hourly_limit', 'waiting_limit'] as const
export type RoomReason = (typeof ROOM_REASONS)[number]

/** Approximate limit of waiting deliveries of a workspace; more are held. */
export const WAITING_DELIVERIES_MAX = 20_000
