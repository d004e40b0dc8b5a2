/** Members: all but people, keys and billing. Admins: also people and billing. Owners: everything. */
export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]
