import { type Refusal, refuse } from '../refusal/refusal.ts'
import type { Role } from './member.ts'

/** `people` includes open invitations. */
export const TEAM_LIMITS = { people: 1000, openInvitations: 50 } as const

export const MANAGING_ROLES = ['owner', 'admin'] as const satisfies readonly Role[]

export function managesTeam(role: Role | null): boolean {
  return role !== null && MANAGING_ROLES.some((item) => item === role)
}

/** Null when allowed. An unchanged role is allowed. */
export function roleObjection(by: Role | null, { from, to }: { from: Role; to: Role }): Refusal<'forbidden'> | null {
  if (!managesTeam(by)) return notManaging()
  if (to === 'owner' && by !== 'owner') return refuse('forbidden', 'Only an owner can make somebody an owner.')
  if (from === 'owner' && to !== 'owner') return refuse('forbidden', 'Nobody can change the role of an owner.')
  return null
}

/** Null when allowed. A member may remove themselves; `owners` counts the workspace's. */
export function removalObjection(
  by: Role | null,
  member: { role: Role; isSelf: boolean },
  owners: number,
): Refusal<'forbidden'> | Refusal<'last_owner'> | null {
  if (!member.isSelf && !managesTeam(by)) return notManaging()
  if (member.role === 'owner' && by !== 'owner') return refuse('forbidden', 'Only an owner can remove an owner.')
  if (member.role === 'owner' && owners === 1)
    return refuse('last_owner', 'The last owner cannot be removed. Make another member an owner first.')
  return null
}

export function notManaging(): Refusal<'forbidden'> {
  return refuse('forbidden', 'Only owners and admins of the workspace manage its team.')
}
