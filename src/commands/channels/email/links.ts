import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import type { Services } from '../../writing.ts'

type Sealing = Pick<Services, 'sealer'>

export interface Subscription {
  workspaceId: Uuid
  channelId: Uuid
  /** Folded. */
  email: string
}

export const CONFIRM_PATH = '/email/confirm'
export const UNSUBSCRIBE_PATH = '/email/unsubscribe'

/** Stored nowhere. Only the mailbox's owner has it, and it does nothing else. */
export function confirmLink(
  { sealer, publicUrl }: Sealing & Pick<Services, 'publicUrl'>,
  subscription: Subscription,
  madeAt: Date,
): string {
  return linkTo(
    publicUrl,
    CONFIRM_PATH,
    sealer.seal(JSON.stringify({ ...subscription, madeAt: madeAt.getTime() }), CONFIRM),
  )
}

/** Null for a link that this installation did not make. */
export function readConfirm({ sealer }: Sealing, token: string): (Subscription & { madeAt: Date }) | null {
  const plain = sealer.open(token, CONFIRM)
  if (plain === null) return null
  const { madeAt, ...subscription } = JSON.parse(plain) as Subscription & { madeAt: number }
  return { ...subscription, madeAt: new Date(madeAt) }
}

/** Valid for ever, since a mail may be opened years later. */
export function unsubscribeLink(
  { sealer, publicUrl }: Sealing & Pick<Services, 'publicUrl'>,
  subscription: Subscription,
): string {
  return linkTo(publicUrl, UNSUBSCRIBE_PATH, sealer.seal(JSON.stringify(subscription), UNSUBSCRIBE))
}

export function readUnsubscribe({ sealer }: Sealing, token: string): Subscription | null {
  const plain = sealer.open(token, UNSUBSCRIBE)
  return plain === null ? null : (JSON.parse(plain) as Subscription)
}

export function noSuchLink(): Refusal<'invalid_token'> {
  return refuse('invalid_token', 'This link is not valid or has expired.')
}

/** The log does not contain queries. */
function linkTo(publicUrl: string, path: string, token: string): string {
  return `${publicUrl}${path}?token=${token}`
}

/** Bind the seals, so that neither kind of link passes for the other. */
const CONFIRM = 'e-mail confirmation'
const UNSUBSCRIBE = 'e-mail unsubscribing'
