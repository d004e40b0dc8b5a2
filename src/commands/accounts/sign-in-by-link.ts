import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Services } from '../writing.ts'
import { confirmAddress } from './confirm-address.ts'
import { openSession, type SignedIn } from './open-session.ts'
import { noSuchLink, useLink } from './use-link.ts'

/**
 * Signs somebody in by the secret of a link, once. A link that was mailed confirms the address too: see
 * `confirmAddress` for what becomes of an account that was not confirmed, and of `presentHash`, the session that this
 * browser has.
 */
export async function signInByLink(
  { db, clock }: Services,
  secret: string,
  presentHash: Buffer | null = null,
): Promise<SignedIn | Refusal<'invalid_token'>> {
  return db.transaction(async (tx) => {
    const now = clock.now()
    const used = await useLink(tx, secret, 'sign_in', now)
    if (used === null) return noSuchLink()
    const lostPassword = used.mailed && (await confirmAddress(tx, used.account, presentHash, now))
    return openSession(tx, used.account.id, now, { method: 'link', lostPassword })
  })
}
