/** Members may do all but people, keys and billing; admins also people and billing; owners everything. */
export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]
