import { DAY_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Sealer } from '../../kernel/sealing.ts'

export const INVITATION_MS = 2 * DAY_MS

/** Per mailbox over all workspaces: the recipient did not ask for the mail. */
export const INVITATION_MAILS = { most: 5, withinMs: DAY_MS } as const

/** The mailbox of a folded address: without a plus tag, for Gmail without dots and under one domain. */
export function mailboxOf(emailFolded: string): string {
  const [plus, at] = [emailFolded.indexOf('+'), emailFolded.lastIndexOf('@')]
  const plain = plus !== -1 && plus < at ? emailFolded.slice(0, plus) + emailFolded.slice(at) : emailFolded
  const [, local] = /^(.*)@(?:gmail|googlemail)\.com$/.exec(plain) ?? []
  return local === undefined ? plain : `${local.replaceAll('.', '')}@gmail.com`
}

export const INVITED_ROLES = ['admin', 'member'] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]

export interface InvitationKey {
  workspaceId: Uuid
  id: Uuid
}

/** Derived, so that no secret is stored. */
export function linkOf(
  { publicUrl, sealer }: { publicUrl: string; sealer: Pick<Sealer, 'seal'> },
  { workspaceId, id }: InvitationKey,
): string {
  return `${publicUrl}/invitations/${sealer.seal(JSON.stringify({ workspaceId, id }), BOUND_TO)}`
}

/** Null for a token that is not ours; the invitation may no longer exist. */
export function invitationIn(sealer: Pick<Sealer, 'open'>, token: string): InvitationKey | null {
  const plain = sealer.open(token, BOUND_TO)
  return plain === null ? null : (JSON.parse(plain) as InvitationKey)
}

/** A text sealed for another purpose must not pass as an invitation. */
const BOUND_TO = 'invitation'
