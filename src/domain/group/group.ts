/** The name of the group that every workspace has from its start. */
export const DEFAULT_GROUP_NAME = 'Default'

/** The longest texts of a group, in characters. */
export const GROUP_LIMITS = { name: 80, externalId: 200, context: 4000 } as const
