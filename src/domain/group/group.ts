export const DEFAULT_GROUP_NAME = 'Default'

/** Lengths in characters. */
export const GROUP_LIMITS = { name: 80, externalId: 200, context: 4000 } as const
