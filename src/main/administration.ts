import { CommandError, exitCodeFor } from '../cli/index.ts'
import { makeSignInLink } from '../commands/accounts/make-sign-in-link.ts'
import { createApiKey } from '../commands/api-keys/create-api-key.ts'
import { unsuppress as unsuppressAddress } from '../commands/channels/email/unsuppress.ts'
import { inviteAsOperator } from '../commands/members/invite-as-operator.ts'
import { grantCredit } from '../commands/wallet/grant-credit.ts'
import { findOrCreateWorkspace } from '../commands/workspaces/find-or-create-workspace.ts'
import type { Role } from '../domain/member/member.ts'
import { isRefusal, type Refusal } from '../domain/refusal/refusal.ts'
import { toId } from '../kernel/ids.ts'
import { withOrigin } from '../kernel/origin.ts'
import { getNamedWorkspace, type NamedWorkspace } from '../queries/workspaces.ts'
import { type Installation, openInstallation } from './installation.ts'
import { adoptKey as adoptKeyOf } from './key-check.ts'

/** Runs a command of the operator, in their name. */
export async function withInstallation(work: (installation: Installation) => Promise<void>): Promise<void> {
  const installation = await openInstallation('command')
  try {
    await withOrigin({ agent: { kind: 'operator' }, address: null, requestId: null }, () => work(installation))
  } finally {
    await installation.close()
  }
}

/** Opening an installation already migrates it. */
export function migrate(): Promise<void> {
  return withInstallation(async () => console.log('The database schema is up to date.'))
}

/**
 * Channels, waiting mails and invitations sealed with another key stay closed. Running processes notice at their next
 * start.
 */
export function adoptKey(): Promise<void> {
  return withInstallation(async (installation) => {
    await adoptKeyOf(installation)
    console.log(
      'The key of this installation is the key of its database now. Restart every process with it and give every ' +
        'channel a new secret. Links of open invitations, mails that wait and sign-ins on their way through a ' +
        'provider are worth nothing any more: withdraw the invitations and make them anew.',
    )
  })
}

/** Only the key goes to standard output, for use in a variable; the rest goes to standard error. */
export function createKey({
  workspace,
  scope,
  name,
}: {
  workspace: string
  scope: 'read' | 'write'
  name: string
}): Promise<void> {
  return withInstallation(async ({ services }) => {
    const opened = orStop(await findOrCreateWorkspace(services, workspace))
    const key = orStop(await createApiKey({ ...services, workspaceId: opened.id }, { name, scope, expiresAt: null }))
    console.error(`The workspace ${titleOf(opened)} was ${opened.made ? 'made' : 'found'}.`)
    console.log(key.key)
  })
}

/** Only the link goes to standard output. */
export function signInLink(email: string): Promise<void> {
  return withInstallation(async ({ services }) => {
    console.log(orStop(await makeSignInLink(services, email)))
  })
}

/** Takes effect with the next delivery; failed ones can be replayed. */
export function unsuppress(email: string): Promise<void> {
  return withInstallation(async ({ services }) => {
    orStop(await unsuppressAddress(services, email))
    console.log(`Channels write to ${email.trim()} again.`)
  })
}

/** Only the link goes to standard output; its use goes to standard error. */
export function invite(org: string, email: string, role: Role | null): Promise<void> {
  return withInstallation(async ({ services }) => {
    const workspace = orStop(await getNamedWorkspace(services.db, org))
    const invitation = orStop(await inviteAsOperator({ ...services, workspaceId: workspace.id }, email, role))
    console.error(
      `Whoever opens this link becomes ${ROLE_WORDS[invitation.role]} of ${titleOf(workspace)}, as ` +
        `${email.trim()}, once, within 48 hours.`,
    )
    console.log(invitation.link)
  })
}

const ROLE_WORDS: Record<Role, string> = { owner: 'an owner', admin: 'an admin', member: 'a member' }

export function grant(org: string, cents: number): Promise<void> {
  return withInstallation(async ({ services }) => {
    const workspace = orStop(await getNamedWorkspace(services.db, org))
    const balance = await grantCredit({ ...services, workspaceId: workspace.id }, cents)
    console.log(`${titleOf(workspace)} has ${(balance / 100).toFixed(2)} dollars now.`)
  })
}

function titleOf({ id, name }: NamedWorkspace): string {
  return `${name} (${toId('org', id)})`
}

function orStop<Answer>(answer: Answer): Exclude<Answer, Refusal> {
  if (isRefusal(answer)) throw new CommandError(answer.message, exitCodeFor(answer.status))
  return answer as Exclude<Answer, Refusal>
}
