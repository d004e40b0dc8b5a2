import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptInvitation } from '../../commands/accounts/accept-invitation.ts'
import { chooseWorkspace } from '../../commands/accounts/choose-workspace.ts'
import { signUpInvited } from '../../commands/accounts/sign-up-invited.ts'
import { type OpenInvitation, openInvitationLink } from '../../commands/members/open-invitation-link.ts'
import { foldEmail, nameProblem, passwordProblem } from '../../domain/account/account.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { type Html, html } from '../../kernel/markup.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import { formOf, personOf, sessionHashOf } from './browser.ts'
import { countAttempt, type SignInContext } from './context.ts'
import { enter } from './enter.ts'
import { fixedEmailField, form, hasProblems, hidden, newPasswordField, type Problems, yourNameField } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { withNext } from './next.ts'
import { leadTo, sendPage } from './page.ts'
import { providerButtons } from './provider-buttons.ts'

/** Accept with an existing account or sign up with the invited address. */
export function serveInvitations(pages: FastifyInstance, context: SignInContext): void {
  const { services } = context

  pages.get<WithToken>('/invitations/:token', async (request, reply) => {
    const { token } = request.params
    const invitation = await openInvitationLink(services, token)
    if (isRefusal(invitation)) return sendRefusal(request, reply, invitation)
    return showInvitation(context, { request, reply, token, invitation })
  })

  pages.post<WithToken>('/invitations/:token', async (request, reply) => {
    const { token } = request.params
    const person = await personOf(request)
    if (person === null) return leadTo(reply, withNext('/sign-in', addressOf(token)))
    const accepted = await acceptInvitation(services, token, person.user.id)
    if (isRefusal(accepted)) return sendRefusal(request, reply, accepted)
    await chooseWorkspace(services, sessionHashOf(request)!, person.user.id, accepted.workspaceId)
    return leadTo(reply, '/account?saved=workspace')
  })

  pages.post<WithToken>('/invitations/:token/sign-up', async (request, reply) => {
    const { token } = request.params
    const tooMany = await countAttempt(context, request, 'sign-up', null)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const invitation = await openInvitationLink(services, token)
    if (isRefusal(invitation)) return sendRefusal(request, reply, invitation)
    const [name, password] = [formOf(request).get('name') ?? '', formOf(request).get('password') ?? '']
    const problems = { name: nameProblem(name), password: passwordProblem(password, invitation.email) }
    if (hasProblems(problems)) return showInvitation(context, { request, reply, token, invitation }, { name, problems })
    const signedIn = await signUpInvited(services, token, { name, password })
    return isRefusal(signedIn) ? sendRefusal(request, reply, signedIn) : enter(request, reply, signedIn, null)
  })
}

interface WithToken {
  Params: { token: string }
}

/** A stranger's token may have any characters. */
export function addressOf(token: string): string {
  return `/invitations/${encodeURIComponent(token)}`
}

interface Entered {
  name?: string
  problems?: Problems
}

interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly token: string
  readonly invitation: OpenInvitation
}

async function showInvitation(context: SignInContext, visit: Visit, entered: Entered = {}): Promise<FastifyReply> {
  const { workspaceName, invitedByName, role, email } = visit.invitation
  const person = await personOf(visit.request)
  const body = html`<p>${invitedBy(invitedByName)} to
  join <strong>${workspaceName}</strong> as ${ROLE_WORDS[role]}. The invitation is for <strong>${email}</strong>.</p>
${person === null ? waysIn(context, visit, entered) : choice(visit, person)}`
  return sendPage(visit.reply, { title: 'You are invited', body }, hasProblems(entered.problems ?? {}) ? 400 : 200)
}

function invitedBy(name: string | null): Html {
  return name === null ? html`You are invited` : html`<strong>${name}</strong> has invited you`
}

const ROLE_WORDS = { owner: 'an owner', admin: 'an admin', member: 'a member' } as const

/** Both ways are shown, because whether the address has an account is revealed only to its owner. */
function waysIn(
  context: SignInContext,
  { request, reply, token, invitation: { email } }: Visit,
  { name = '', problems = {} }: Entered,
): Html {
  const fields = html`${fixedEmailField(email)}
${yourNameField(name, problems)}
${newPasswordField(problems)}
<button type="submit">Create an account and join</button>`
  return html`<div class="sheet">
<h2>You are new here</h2>
${form(request, reply, `${addressOf(token)}/sign-up`, fields)}
${providerButtons(context, { invitation: token })}
</div>
<div class="sheet">
<h2>You have an account</h2>
<p>Sign in with ${email}, and you come back here to accept.</p>
<a class="button plain" href="${withNext('/sign-in', addressOf(token))}">Sign in</a>
</div>`
}

function choice({ request, reply, token, invitation }: Visit, { user }: SessionPerson): Html {
  const { email, workspaceName } = invitation
  if (foldEmail(user.email) === foldEmail(email))
    return html`<div class="sheet">
<p>You are signed in as ${user.name}.</p>
${form(request, reply, addressOf(token), html`<button type="submit">Join ${workspaceName}</button>`)}
</div>`
  return html`<div class="sheet">
<p>You are signed in as <strong>${user.email}</strong>, which is another address. Sign out to accept the invitation with
the right one.</p>
${form(
  request,
  reply,
  '/sign-out',
  html`${hidden('next', addressOf(token))}<button type="submit" class="plain">Sign
out</button>`,
)}
</div>`
}
