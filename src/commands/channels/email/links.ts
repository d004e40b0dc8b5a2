import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import type { Services } from '../../writing.ts'

type Sealing = Pick<Services, 'sealer'>

/** Whose mail from which channel a link ends. */
export interface Subscription {
  workspaceId: Uuid
  channelId: Uuid
  /** Folded. */
  email: string
}

/** Where somebody confirms that they want mail from a channel, and where they end it. */
export const CONFIRM_PATH = '/email/confirm'
export const UNSUBSCRIBE_PATH = '/email/unsubscribe'

/** Who has it has the mailbox: nothing of it is stored, and it is good for nothing else. */
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

/** What a link to confirm is for, and when it was made; null for what we did not make. */
export function readConfirm({ sealer }: Sealing, token: string): (Subscription & { madeAt: Date }) | null {
  const plain = sealer.open(token, CONFIRM)
  if (plain === null) return null
  const { madeAt, ...subscription } = JSON.parse(plain) as Subscription & { madeAt: number }
  return { ...subscription, madeAt: new Date(madeAt) }
}

/** Works for ever, because the mail that it stands in may be opened years later. */
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
  return refuse('invalid_token', 'The link is altered, has expired, or what it is for is gone.')
}

/** In the query, where no log keeps it. */
function linkTo(publicUrl: string, path: string, token: string): string {
  return `${publicUrl}${path}?token=${token}`
}

/** Keep a text that was sealed for one from being taken for the other. */
const CONFIRM = 'e-mail confirmation'
const UNSUBSCRIBE = 'e-mail unsubscribing'
