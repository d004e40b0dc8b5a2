import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Invited, inviteMember } from '../../commands/members/invite-member.ts'
import { removeMember } from '../../commands/members/remove-member.ts'
import { noSuchMember, updateMember } from '../../commands/members/update-member.ts'
import { withdrawInvitation } from '../../commands/members/withdraw-invitation.ts'
import { EMAIL_PROBLEM, foldEmail } from '../../domain/account/account.ts'
import { INVITED_ROLES, type InvitedRole } from '../../domain/member/invitation.ts'
import { ROLES, type Role } from '../../domain/member/member.ts'
import { managesTeam, notManaging, removalObjection, roleObjection } from '../../domain/member/team.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { dayOf } from '../../kernel/clock.ts'
import { fromId } from '../../kernel/ids.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { inviteMemberOperation } from '../../operations/members/invite-member.ts'
import type { Invitation } from '../../queries/members/invitation-shape.ts'
import { listInvitations } from '../../queries/members/list-invitations.ts'
import { listMembers } from '../../queries/members/list-members.ts'
import type { Member } from '../../queries/members/member-shape.ts'
import { formOf } from './browser.ts'
import { type Chosen, inChosen, placesOf, ROLE_WORDS, workspaceForm } from './chosen.ts'
import type { AuthDoor } from './door.ts'
import { choices, field, hasProblems, hidden, type Problems, problemsFrom, select } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { leadTo, sendPage } from './page.ts'

/**
 * The people of the chosen workspace: all of its members see them, and who manages the team invites, removes and
 * changes roles.
 */
export function serveTeam(pages: FastifyInstance, door: AuthDoor): void {
  pages.get(
    '/team',
    inChosen(door, (request, reply, chosen) => showTeam(request, reply, chosen)),
  )

  pages.post(
    '/team/invitations',
    inChosen(door, async (request, reply, chosen) => {
      if (!managesTeam(chosen.workspace.role)) return sendRefusal(request, reply, notManaging(), BACK)
      const given = formOf(request)
      const [email, role] = [given.get('email') ?? '', INVITED_ROLES.find((one) => one === given.get('role'))]
      const problems = {
        email: foldEmail(email) === null ? EMAIL_PROBLEM : null,
        role: role === undefined ? 'choose one of them' : null,
      }
      if (role === undefined || hasProblems(problems))
        return showTeam(request, reply, chosen, { email, role, problems })
      const invited = await invite(door, chosen, { email, role })
      if (!isRefusal(invited))
        return leadTo(reply, `/team?invited=${invited.invitation.id}${invited.wasThere ? '&before' : ''}`)
      const problem = invited.code === 'already_member' ? { email: invited.message } : problemsFrom(invited, ['email'])
      return problem === null
        ? sendRefusal(request, reply, invited, BACK)
        : showTeam(request, reply, chosen, { email, role, problems: problem })
    }),
  )

  pages.post<WithId>(
    '/team/invitations/:id/withdraw',
    inChosen(door, async (request, reply, { person, writing }) => {
      const id = fromId('inv', request.params.id)
      const refusal =
        id === null
          ? refuse('not_found', 'There is no such invitation in this workspace.')
          : await withdrawInvitation(writing, person.user.id, id)
      return refusal === undefined ? leadTo(reply, '/team?saved=withdrawn') : sendRefusal(request, reply, refusal, BACK)
    }),
  )

  pages.post<WithId>(
    '/team/members/:id/role',
    inChosen(door, async (request, reply, chosen) => {
      const member = await findMember(chosen, request.params.id)
      if (isRefusal(member)) return sendRefusal(request, reply, member, BACK)
      const given = formOf(request)
      const role = ROLES.find((one) => one === given.get('role'))
      if (role === undefined) return sendRefusal(request, reply, refuse('validation_error', 'Choose a role.'), BACK)
      const objection = roleObjection(chosen.workspace.role, { from: member.role, to: role })
      if (objection !== null) return sendRefusal(request, reply, objection, BACK)
      if (isForGood(chosen, member, role) && given.get('sure') !== 'yes')
        return askBeforeRole(request, reply, chosen, member, role)
      const updated = await updateMember(chosen.writing, chosen.person.user.id, fromId('mem', member.id)!, { role })
      return isRefusal(updated) ? sendRefusal(request, reply, updated, BACK) : leadTo(reply, '/team?saved=role')
    }),
  )

  pages.get<WithId>(
    '/team/members/:id/remove',
    inChosen(door, async (request, reply, chosen) => {
      const members = await listMembers(chosen.writing)
      const member = members.find(({ id }) => id === request.params.id)
      const objection = member === undefined ? noSuchMember() : removalProblem(chosen, member, members)
      return objection === null
        ? askBeforeRemoval(request, reply, chosen, member!)
        : sendRefusal(request, reply, objection, BACK)
    }),
  )

  pages.post<WithId>(
    '/team/members/:id/remove',
    inChosen(door, async (request, reply, chosen) => {
      const member = await findMember(chosen, request.params.id)
      if (isRefusal(member)) return sendRefusal(request, reply, member, BACK)
      const refusal = await removeMember(chosen.writing, chosen.person.user.id, fromId('mem', member.id)!)
      if (refusal !== undefined) return sendRefusal(request, reply, refusal, BACK)
      return leadTo(reply, isSelf(chosen, member) ? '/account?saved=left' : '/team?saved=removed')
    }),
  )
}

interface WithId {
  Params: { id: string }
}

const BACK = { address: '/team', words: 'Back to the team' } as const

/** Invitations count together with those that are made through the interface, and what was refused is not counted. */
async function invite(
  { limits }: AuthDoor,
  { person, writing }: Chosen,
  invitation: { email: string; role: InvitedRole },
): Promise<Invited | Refusal> {
  const { name, perMinute } = inviteMemberOperation.limit!
  const key = `${writing.workspaceId} ${name}`
  const allowance = limits.take(key, perMinute)
  const { granted, retryAfterSeconds } = allowance
  if (!granted)
    return refuse('rate_limited', `${perMinute} people can be invited in a minute. Wait a minute, then try again.`, {
      retryAfterSeconds,
    })
  const invited = await inviteMember(writing, person.user.id, invitation)
  if (isRefusal(invited)) limits.giveBack(key, allowance)
  return invited
}

async function findMember({ writing }: Chosen, memberId: string): Promise<Member | Refusal<'not_found'>> {
  return (await listMembers(writing)).find(({ id }) => id === memberId) ?? noSuchMember()
}

function isSelf({ person }: Chosen, { userId }: Member): boolean {
  return fromId('user', userId) === person.user.id
}

function removalProblem(chosen: Chosen, member: Member, members: readonly Member[]): Refusal | null {
  const owners = members.filter(({ role }) => role === 'owner').length
  return removalObjection(chosen.workspace.role, { role: member.role, isSelf: isSelf(chosen, member) }, owners)
}

/** Nobody takes from an owner what they are, and who gives away their own role cannot take it back. */
function isForGood(chosen: Chosen, member: Member, to: Role): boolean {
  return to !== member.role && (to === 'owner' || isSelf(chosen, member))
}

interface Entered {
  email?: string
  role?: InvitedRole | undefined
  problems?: Problems
}

async function showTeam(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: Chosen,
  { email = '', role = 'member', problems = {} }: Entered = {},
): Promise<FastifyReply> {
  const { workspace, writing } = chosen
  const manages = managesTeam(workspace.role)
  const members = await listMembers(writing)
  const invitations = manages ? await listInvitations(writing, { mayInvite: manages }) : []
  const fields = html`${field(
    { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'off', value: email },
    problems,
  )}
${choices({ name: 'role', legend: 'Joins as', options: INVITING_AS, picked: role }, problems)}
<button type="submit">Invite</button>`
  const body = html`${note(request, invitations)}
<section class="sheet" aria-labelledby="members">
<h2 id="members">Members</h2>
<ul class="rows">${members.map((member) => memberRow(request, reply, chosen, member, members))}</ul>
</section>
${
  invitations.length > 0 &&
  html`<section class="sheet" aria-labelledby="invitations">
<h2 id="invitations">Open invitations</h2>
<ul class="rows">${invitations.map((invitation) => invitationRow(request, reply, chosen, invitation))}</ul>
</section>`
}
${
  manages &&
  html`<section class="sheet" aria-labelledby="invite">
<h2 id="invite">Invite somebody</h2>
${workspaceForm(request, reply, chosen, '/team/invitations', fields)}
</section>`
}
${leaving(chosen, members)}`
  return sendPage(
    reply,
    { title: 'Team', places: placesOf(workspace, '/team'), body },
    hasProblems(problems) ? 400 : 200,
  )
}

/** What is said after something was done, by the word in the address. */
const SAVED: ReadonlyMap<unknown, string> = new Map([
  ['role', 'The role is changed.'],
  ['removed', 'The member is removed.'],
  ['withdrawn', 'The invitation is withdrawn. Its link opens nothing any more.'],
])

/** Of an invitation it is said what comes next. */
function note(request: FastifyRequest, invitations: readonly Invitation[]): Html | null {
  const { saved, invited, before } = request.query as Record<string, unknown>
  const invitation = invitations.find(({ id }) => id === invited)
  if (invitation === undefined)
    return SAVED.has(saved) ? html`<p class="note" role="status">${SAVED.get(saved)}</p>` : null
  const { email, role } = invitation
  return html`<div class="note" role="status">
<p>${
    before === undefined
      ? html`<strong>${email}</strong> is invited as ${ROLE_WORDS[role]}.`
      : html`<strong>${email}</strong> was invited before, as ${ROLE_WORDS[role]}. That invitation still holds,
      and nothing was sent again.`
  }</p>
${wayOf(invitation)}
</div>`
}

/** How the link of an invitation comes to who is invited. */
function wayOf({ url, role }: Invitation): Html {
  if (url !== null) return html`<p>Hand on this link yourself, and to nobody else: <code class="copy">${url}</code></p>`
  return role === 'owner'
    ? html`<p>Whoever runs this installation has the link.</p>`
    : html`<p>The link goes there by mail.</p>`
}

function memberRow(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: Chosen,
  member: Member,
  members: readonly Member[],
): Html {
  const { id, name, email, role, joinedAt } = member
  const own = isSelf(chosen, member)
  const roles = ROLES.filter((to) => roleObjection(chosen.workspace.role, { from: role, to }) === null)
  const canChange = roles.some((one) => one !== role)
  const canRemove = !own && removalProblem(chosen, member, members) === null
  const picking = html`<div class="beside">
${select({
  name: 'role',
  label: 'Role',
  spoken: `Role of ${name}`,
  options: roles.map((one) => ({ value: one, label: ROLE_NAMES[one] })),
  picked: role,
  within: id,
})}
<button type="submit" class="plain" aria-label="Change the role of ${name}">Change</button>
</div>`
  return html`<li><strong>${name}</strong> <span class="quiet">${role}${own && ', you'}</span>
<p class="hint">${email}<br>since ${dayOf(new Date(joinedAt))}</p>
${
  (canChange || canRemove) &&
  html`<details>
<summary aria-label="Manage ${name}">Manage</summary>
${canChange && workspaceForm(request, reply, chosen, `/team/members/${id}/role`, picking)}
${canRemove && html`<a class="button alarm" href="/team/members/${id}/remove" aria-label="Remove ${name}">Remove</a>`}
</details>`
}</li>`
}

function invitationRow(request: FastifyRequest, reply: FastifyReply, chosen: Chosen, invitation: Invitation): Html {
  const { id, email, role, expiresAt } = invitation
  const withdrawing = html`<button type="submit" class="alarm"
  aria-label="Withdraw the invitation of ${email}">Withdraw</button>`
  return html`<li><strong>${email}</strong> <span class="quiet">${role}</span>
<p class="hint">until ${minuteOf(expiresAt)}</p>
${wayOf(invitation)}
${workspaceForm(request, reply, chosen, `/team/invitations/${id}/withdraw`, withdrawing)}</li>`
}

/** An instant as people read it, to the minute. */
export function minuteOf(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}

function leaving(chosen: Chosen, members: readonly Member[]): Html | null {
  const own = members.find((member) => isSelf(chosen, member))
  if (own === undefined) return null
  const problem = removalProblem(chosen, own, members)
  return problem === null
    ? html`<p><a class="button alarm" href="/team/members/${own.id}/remove">Leave the workspace</a></p>`
    : html`<p class="hint">You are its only owner. To leave the workspace, make somebody else an owner before.</p>`
}

const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

const INVITING_AS = [
  { value: 'member', label: 'Member', hint: 'Does everything but people, keys and billing.' },
  { value: 'admin', label: 'Admin', hint: 'Also looks after people and billing.' },
] as const satisfies readonly { value: InvitedRole; label: string; hint: string }[]

function askBeforeRole(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: Chosen,
  { id, name, role }: Member,
  to: Role,
): FastifyReply {
  const fields = html`${hidden('role', to)}${hidden('sure', 'yes')}<button type="submit"
  class="alarm">${to === 'owner' ? `Make ${name} an owner` : `Become ${ROLE_WORDS[to]}`}</button>`
  const told =
    to === 'owner'
      ? html`<p>Owners may do everything, also make keys and remove other owners. Nobody can take the role away
      from <strong>${name}</strong> again without removing them.</p>`
      : html`<p>You are ${ROLE_WORDS[role]} now. Only somebody who manages the team can make you one again.</p>`
  const title = to === 'owner' ? 'Make somebody an owner?' : 'Give up your role?'
  return ask(request, reply, chosen, { title, told, action: `/team/members/${id}/role`, fields })
}

function askBeforeRemoval(request: FastifyRequest, reply: FastifyReply, chosen: Chosen, member: Member): FastifyReply {
  const { id, name, email } = member
  const { name: workspaceName } = chosen.workspace
  const action = `/team/members/${id}/remove`
  if (isSelf(chosen, member)) {
    const told = html`<p>You and the apps that act for you lose <strong>${workspaceName}</strong> at once,
    and invitations that you made are withdrawn. To come back you need an invitation.</p>`
    return ask(request, reply, chosen, {
      title: 'Leave the workspace?',
      told,
      action,
      fields: html`<button type="submit" class="alarm">Leave ${workspaceName}</button>`,
    })
  }
  const told = html`<p><strong>${name}</strong> (${email})
  and the apps that act for them lose <strong>${workspaceName}</strong> at once,
  and invitations that they made are withdrawn.</p>
<p>API keys belong to the workspace and go on. Revoke those that ${name} may know.</p>`
  return ask(request, reply, chosen, {
    title: 'Remove a member?',
    told,
    action,
    fields: html`<button type="submit" class="alarm">Remove ${name}</button>`,
  })
}

interface Question {
  title: string
  told: Html
  action: string
  fields: Html
}

function ask(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: Chosen,
  { title, told, action, fields }: Question,
): FastifyReply {
  const body = html`<div class="sheet">
${told}
${workspaceForm(request, reply, chosen, action, fields)}
</div>
<p class="links"><a href="/team">Change nothing</a></p>`
  return sendPage(reply, { title, places: placesOf(chosen.workspace, '/team'), body })
}
