import { DAY_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Sealer } from '../../kernel/sealing.ts'

/** How long an invitation can be accepted. */
export const INVITATION_MS = 2 * DAY_MS

/**
 * How many invitations a mailbox gets within how long, from all workspaces together: who is invited did not ask for it.
 */
export const INVITATION_MAILS = { most: 5, withinMs: DAY_MS } as const

/**
 * Where mail to a folded address ends up: what follows a plus sign before the at sign is for the reader's own order.
 * Gmail, which has two names, passes over dots besides.
 */
export function mailboxOf(emailFolded: string): string {
  const [plus, at] = [emailFolded.indexOf('+'), emailFolded.lastIndexOf('@')]
  const plain = plus !== -1 && plus < at ? emailFolded.slice(0, plus) + emailFolded.slice(at) : emailFolded
  const [, local] = /^(.*)@(?:gmail|googlemail)\.com$/.exec(plain) ?? []
  return local === undefined ? plain : `${local.replaceAll('.', '')}@gmail.com`
}

/** What people can invite as. Owners are made of members, by owners, or invited by the operator. */
export const INVITED_ROLES = ['admin', 'member'] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]

/** Which invitation a link is for. */
export interface InvitationKey {
  workspaceId: Uuid
  id: Uuid
}

/** The address that an invited person opens. It can be made at any time, because nothing of it is stored. */
export function linkOf(
  { publicUrl, sealer }: { publicUrl: string; sealer: Pick<Sealer, 'seal'> },
  { workspaceId, id }: InvitationKey,
): string {
  return `${publicUrl}/invitations/${sealer.seal(JSON.stringify({ workspaceId, id }), BOUND_TO)}`
}

/**
 * The invitation that the last part of such an address is for, whether or not there still is one; null for what we did
 * not make.
 */
export function invitationIn(sealer: Pick<Sealer, 'open'>, token: string): InvitationKey | null {
  const plain = sealer.open(token, BOUND_TO)
  return plain === null ? null : (JSON.parse(plain) as InvitationKey)
}

/** Keeps a text that was sealed for something else from being taken for an invitation. */
const BOUND_TO = 'invitation'
