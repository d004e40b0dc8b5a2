import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Services } from '../writing.ts'
import { confirmAddress } from './confirm-address.ts'
import { openSession, type SignedIn } from './open-session.ts'
import { noSuchLink, useLink } from './use-link.ts'

/** Signs in by a link, once. A mailed link also confirms the address: see `confirmAddress`, also for `presentHash`. */
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
