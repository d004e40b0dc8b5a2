import { type CheckedAccount, foldEmail, nameFromProvider } from '../../domain/account/account.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { joinWorkspace } from '../members/join-workspace.ts'
import { noSuchInvitation, type OpenInvitation, openInvitationLink } from '../members/open-invitation-link.ts'
import type { Visited } from '../writing.ts'
import { confirmAddress } from './confirm-address.ts'
import { holdInvitation } from './hold-invitation.ts'
import { insertAccount } from './insert-account.ts'
import { isFirst } from './is-first.ts'
import { type LockedAccount, lockAccount } from './lock-account.ts'
import { openSession, type SignedIn } from './open-session.ts'
import { ownOldestWorkspace } from './own-workspace.ts'
import { signUpIsClosed } from './request-sign-up.ts'

export interface ProviderProfile {
  provider: 'google' | 'github'
  /** Permanent at the provider. */
  subject: string
  email: string | null
  /** Whether the provider has verified the address. */
  emailVerified: boolean
  name: string
}

const TITLES = { google: 'Google', github: 'GitHub' } as const

type Denied = Refusal<'forbidden' | 'invalid_token'>
type Invited = OpenInvitation | Refusal<'invalid_token'> | null

interface Entering {
  userId: Uuid
  lostPassword: boolean
}

interface Brought {
  invited: Invited
  presentHash: Buffer | null
}

/**
 * Signs in by a known identity, else by the account of the verified address, else by a new account. A new account needs
 * to be the first, open sign-up, or an invitation to that address, whose workspace it joins. For `presentHash` see
 * `confirmAddress`.
 */
export async function signInByProvider(
  services: Visited,
  profile: ProviderProfile,
  invitationToken: string | null,
  presentHash: Buffer | null = null,
): Promise<SignedIn | Denied> {
  const invited = invitationToken === null ? null : await openInvitationLink(services, invitationToken)
  return services.db.transaction(async (tx) => {
    const now = services.clock.now()
    // The second of two concurrent requests finds the identity of the first.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${profile.provider} ${profile.subject}`}, 0))`,
    )
    const entering =
      (await byIdentity(tx, profile)) ?? (await byAddress(tx, services, profile, { invited, presentHash }, now))
    return isRefusal(entering)
      ? entering
      : openSession(tx, entering.userId, now, { ...entering, method: profile.provider })
  })
}

async function byIdentity(tx: Transaction, { provider, subject }: ProviderProfile): Promise<Entering | null> {
  const [known] = await tx.query<{ user_id: Uuid }>(
    sql`select user_id from user_identity where provider = ${provider} and subject = ${subject}`,
  )
  const account = known === undefined ? null : await lockAccount(tx, { id: known.user_id })
  if (account === null) return null
  // `confirmAddress` may have removed the identities while this waited for the lock.
  const [still] = await tx.query(sql`select 1 from user_identity where provider = ${provider} and subject = ${subject}`)
  return still === undefined ? null : { userId: account.id, lostPassword: false }
}

async function byAddress(
  tx: Transaction,
  services: Visited,
  profile: ProviderProfile,
  { invited, presentHash }: Brought,
  now: Date,
): Promise<Entering | Denied> {
  const { provider, subject, email, emailVerified, name } = profile
  const emailFolded = email !== null && emailVerified ? foldEmail(email) : null
  if (email === null || emailFolded === null)
    return refuse('forbidden', `${TITLES[provider]} does not say that an e-mail address is yours.`)
  const found = await lockAccount(tx, { emailFolded })
  const account = { email: email.trim(), emailFolded, name: nameFromProvider(name, emailFolded) }
  const entering =
    found === null
      ? await makeAccount(tx, services, account, invited, now)
      : await takeAccount(tx, provider, found, presentHash, now)
  if (isRefusal(entering)) return entering
  await tx.query(
    sql`insert into user_identity (provider, subject, user_id, created_at)
        values (${provider}, ${subject}, ${entering.userId}, ${now})`,
  )
  return entering
}

async function takeAccount(
  tx: Transaction,
  provider: ProviderProfile['provider'],
  account: LockedAccount,
  presentHash: Buffer | null,
  now: Date,
): Promise<Entering | Denied> {
  const lostPassword = await confirmAddress(tx, account, presentHash, now)
  const others = await tx.query(
    sql`select 1 from user_identity where user_id = ${account.id} and provider = ${provider}`,
  )
  // The provider has reassigned the address to another person.
  return others.length === 0
    ? { userId: account.id, lostPassword }
    : refuse('forbidden', `This address is linked to another ${TITLES[provider]} account. Sign in another way.`)
}

async function makeAccount(
  tx: Transaction,
  services: Visited,
  account: CheckedAccount,
  invited: Invited,
  now: Date,
): Promise<Entering | Denied> {
  const { signUp, atHome = false } = services
  const first = await isFirst(tx, atHome)
  const invitation =
    invited !== null && !isRefusal(invited) && foldEmail(invited.email) === account.emailFolded ? invited : null
  if (invitation === null && !first && signUp !== 'open') return uninvited(invited)
  if (invitation !== null && !(await holdInvitation(tx, invitation, now))) return noSuchInvitation()
  const userId = await insertAccount(tx, { ...account, passwordHash: null, confirmed: true }, now)
  if (userId === null)
    return refuse('forbidden', 'An account with this address was created at the same moment. Sign in again.')
  if (first && invitation === null && atHome) await ownOldestWorkspace(tx, services, userId, now)
  if (invitation !== null) await joinWorkspace(tx, services, invitation, userId, now)
  return { userId, lostPassword: false }
}

function uninvited(invited: Invited): Denied {
  if (invited === null) return signUpIsClosed()
  return isRefusal(invited)
    ? invited
    : refuse('forbidden', 'This invitation is for another address. Sign in with the invited address.')
}
