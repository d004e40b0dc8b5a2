import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InvitedRole } from '../../domain/member/invitation.ts'
import { ROLES, type Role } from '../../domain/member/member.ts'
import { managesTeam, removalObjection, roleObjection } from '../../domain/member/team.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { dayOf } from '../../kernel/clock.ts'
import { fromId } from '../../kernel/ids.ts'
import { type Html, html } from '../../kernel/markup.ts'
import type { Invitation } from '../../queries/members/invitation-shape.ts'
import { listInvitations } from '../../queries/members/list-invitations.ts'
import { listMembers } from '../../queries/members/list-members.ts'
import type { Member } from '../../queries/members/member-shape.ts'
import { type ChosenWorkspace, placesOf, ROLE_WORDS, workspaceForm } from './chosen.ts'
import { choices, field, hasProblems, hidden, type Problems, select } from './fields.ts'
import { sendPage } from './page.ts'

interface Entered {
  email?: string
  role?: InvitedRole | undefined
  problems?: Problems
}

export async function showTeam(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
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

const SAVED: ReadonlyMap<unknown, string> = new Map([
  ['role', 'The role is changed.'],
  ['removed', 'The member is removed.'],
  ['withdrawn', 'The invitation is withdrawn. Its link no longer works.'],
])

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
      : html`<strong>${email}</strong> was invited before, as ${ROLE_WORDS[role]}. That invitation is still valid,
      and nothing was sent again.`
  }</p>
${wayOf(invitation)}
</div>`
}

function wayOf({ url, role }: Invitation): Html {
  if (url !== null) return html`<p>Send this link to the invited person only: <code class="copy">${url}</code></p>`
  return role === 'owner'
    ? html`<p>The operator of this installation has the link.</p>`
    : html`<p>The link is sent by mail.</p>`
}

function memberRow(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
  member: Member,
  members: readonly Member[],
): Html {
  const { id, name, email, role, joinedAt } = member
  const own = isSelf(chosen, member)
  const roles = ROLES.filter((to) => roleObjection(chosen.workspace.role, { from: role, to }) === null)
  const canChange = roles.some((item) => item !== role)
  const canRemove = !own && removalProblem(chosen, member, members) === null
  const picking = html`<div class="beside">
${select({
  name: 'role',
  label: 'Role',
  spoken: `Role of ${name}`,
  options: roles.map((role) => ({ value: role, label: ROLE_NAMES[role] })),
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

function invitationRow(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
  invitation: Invitation,
): Html {
  const { id, email, role, expiresAt } = invitation
  const withdrawing = html`<button type="submit" class="alarm"
  aria-label="Withdraw the invitation of ${email}">Withdraw</button>`
  return html`<li><strong>${email}</strong> <span class="quiet">${role}</span>
<p class="hint">until ${minuteOf(expiresAt)}</p>
${wayOf(invitation)}
${workspaceForm(request, reply, chosen, `/team/invitations/${id}/withdraw`, withdrawing)}</li>`
}

export function minuteOf(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}

function leaving(chosen: ChosenWorkspace, members: readonly Member[]): Html | null {
  const own = members.find((member) => isSelf(chosen, member))
  if (own === undefined) return null
  const problem = removalProblem(chosen, own, members)
  return problem === null
    ? html`<p><a class="button alarm" href="/team/members/${own.id}/remove">Leave the workspace</a></p>`
    : html`<p class="hint">You are the only owner. To leave the workspace, make another member an owner first.</p>`
}

export function isSelf({ person }: ChosenWorkspace, { userId }: Member): boolean {
  return fromId('user', userId) === person.user.id
}

export function removalProblem(chosen: ChosenWorkspace, member: Member, members: readonly Member[]): Refusal | null {
  const owners = members.filter(({ role }) => role === 'owner').length
  return removalObjection(chosen.workspace.role, { role: member.role, isSelf: isSelf(chosen, member) }, owners)
}

const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

const INVITING_AS = [
  { value: 'member', label: 'Member', hint: 'Does everything except people, keys and billing.' },
  { value: 'admin', label: 'Admin', hint: 'Also manages people and billing.' },
] as const satisfies readonly { value: InvitedRole; label: string; hint: string }[]

export function askBeforeRole(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
  { id, name, role }: Member,
  to: Role,
): FastifyReply {
  const fields = html`${hidden('role', to)}${hidden('sure', 'yes')}<button type="submit"
  class="alarm">${to === 'owner' ? `Make ${name} an owner` : `Become ${ROLE_WORDS[to]}`}</button>`
  const told =
    to === 'owner'
      ? html`<p>Owners may do everything, including creating keys and removing other owners. Nobody can take the role
      away from <strong>${name}</strong> again without removing them.</p>`
      : html`<p>You are ${ROLE_WORDS[role]} now. Only somebody who manages the team can make you one again.</p>`
  const title = to === 'owner' ? 'Make somebody an owner?' : 'Give up your role?'
  return ask(request, reply, chosen, { title, told, action: `/team/members/${id}/role`, fields })
}

export function askBeforeRemoval(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
  member: Member,
): FastifyReply {
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
  chosen: ChosenWorkspace,
  { title, told, action, fields }: Question,
): FastifyReply {
  const body = html`<div class="sheet">
${told}
${workspaceForm(request, reply, chosen, action, fields)}
</div>
<p class="links"><a href="/team">Change nothing</a></p>`
  return sendPage(reply, { title, places: placesOf(chosen.workspace, '/team'), body })
}
