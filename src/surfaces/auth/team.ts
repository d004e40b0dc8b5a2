import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Invited, inviteMember } from '../../commands/members/invite-member.ts'
import { removeMember } from '../../commands/members/remove-member.ts'
import { noSuchMember, updateMember } from '../../commands/members/update-member.ts'
import { withdrawInvitation } from '../../commands/members/withdraw-invitation.ts'
import { EMAIL_PROBLEM, foldEmail } from '../../domain/account/account.ts'
import { INVITED_ROLES, type InvitedRole } from '../../domain/member/invitation.ts'
import { ROLES, type Role } from '../../domain/member/member.ts'
import { managesTeam, notManaging, roleObjection } from '../../domain/member/team.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { fromId } from '../../kernel/ids.ts'
import { inviteMemberOperation } from '../../operations/members/invite-member.ts'
import { countsFor } from '../../operations/rate-limit.ts'
import { listMembers } from '../../queries/members/list-members.ts'
import type { Member } from '../../queries/members/member-shape.ts'
import { formOf } from './browser.ts'
import { type ChosenWorkspace, inChosen } from './chosen.ts'
import type { SignInContext } from './context.ts'
import { hasProblems, problemsFrom } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { leadTo } from './page.ts'

import { askBeforeRemoval, askBeforeRole, isSelf, removalProblem, showTeam } from './team-page.ts'

export function serveTeam(pages: FastifyInstance, context: SignInContext): void {
  pages.get(
    '/team',
    inChosen(context, (request, reply, chosen) => showTeam(request, reply, chosen)),
  )
  pages.post(
    '/team/invitations',
    inChosen(context, (...asked) => takeInvitation(context, ...asked)),
  )
  pages.post<WithId>('/team/invitations/:id/withdraw', inChosen(context, withdraw))
  pages.post<WithId>('/team/members/:id/role', inChosen(context, changeRole))
  pages.get<WithId>('/team/members/:id/remove', inChosen(context, showRemoval))
  pages.post<WithId>('/team/members/:id/remove', inChosen(context, remove))
}

interface WithId {
  Params: { id: string }
}

const BACK = { address: '/team', words: 'Back to the team' } as const

async function takeInvitation(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
): Promise<FastifyReply> {
  if (!managesTeam(chosen.workspace.role)) return sendRefusal(request, reply, notManaging(), BACK)
  const given = formOf(request)
  const [email, role] = [given.get('email') ?? '', INVITED_ROLES.find((known) => known === given.get('role'))]
  const problems = {
    email: foldEmail(email) === null ? EMAIL_PROBLEM : null,
    role: role === undefined ? 'choose one of them' : null,
  }
  if (role === undefined || hasProblems(problems)) return showTeam(request, reply, chosen, { email, role, problems })
  const invited = await invite(context, chosen, { email, role })
  if (!isRefusal(invited))
    return leadTo(reply, `/team?invited=${invited.invitation.id}${invited.wasThere ? '&before' : ''}`)
  const problem = invited.code === 'already_member' ? { email: invited.message } : problemsFrom(invited, ['email'])
  return problem === null
    ? sendRefusal(request, reply, invited, BACK)
    : showTeam(request, reply, chosen, { email, role, problems: problem })
}

async function withdraw(
  request: FastifyRequest<WithId>,
  reply: FastifyReply,
  { person, writing }: ChosenWorkspace,
): Promise<FastifyReply> {
  const id = fromId('inv', request.params.id)
  const refusal =
    id === null
      ? refuse('not_found', 'This workspace has no such invitation.')
      : await withdrawInvitation(writing, person.user.id, id)
  return refusal === undefined ? leadTo(reply, '/team?saved=withdrawn') : sendRefusal(request, reply, refusal, BACK)
}

async function changeRole(
  request: FastifyRequest<WithId>,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
): Promise<FastifyReply> {
  const member = await findMember(chosen, request.params.id)
  if (isRefusal(member)) return sendRefusal(request, reply, member, BACK)
  const given = formOf(request)
  const role = ROLES.find((known) => known === given.get('role'))
  if (role === undefined) return sendRefusal(request, reply, refuse('validation_error', 'Choose a role.'), BACK)
  const objection = roleObjection(chosen.workspace.role, { from: member.role, to: role })
  if (objection !== null) return sendRefusal(request, reply, objection, BACK)
  if (isForGood(chosen, member, role) && given.get('sure') !== 'yes')
    return askBeforeRole(request, reply, chosen, member, role)
  const updated = await updateMember(chosen.writing, chosen.person.user.id, fromId('mem', member.id)!, { role })
  return isRefusal(updated) ? sendRefusal(request, reply, updated, BACK) : leadTo(reply, '/team?saved=role')
}

async function showRemoval(
  request: FastifyRequest<WithId>,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
): Promise<FastifyReply> {
  const members = await listMembers(chosen.writing)
  const member = members.find(({ id }) => id === request.params.id)
  const objection = member === undefined ? noSuchMember() : removalProblem(chosen, member, members)
  return objection === null
    ? askBeforeRemoval(request, reply, chosen, member!)
    : sendRefusal(request, reply, objection, BACK)
}

async function remove(
  request: FastifyRequest<WithId>,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
): Promise<FastifyReply> {
  const member = await findMember(chosen, request.params.id)
  if (isRefusal(member)) return sendRefusal(request, reply, member, BACK)
  const refusal = await removeMember(chosen.writing, chosen.person.user.id, fromId('mem', member.id)!)
  if (refusal !== undefined) return sendRefusal(request, reply, refusal, BACK)
  return leadTo(reply, isSelf(chosen, member) ? '/account?saved=left' : '/team?saved=removed')
}

/** Shares the limit with the API. Refused invitations are not counted. */
async function invite(
  { limits }: SignInContext,
  { person, writing }: ChosenWorkspace,
  invitation: { email: string; role: InvitedRole },
): Promise<Invited | Refusal> {
  const { name, perMinute } = inviteMemberOperation.limit!
  const key = `${writing.workspaceId} ${name}`
  const counts = countsFor(limits, perMinute)
  const allowance = await counts.take(key, perMinute)
  const { granted, retryAfterSeconds } = allowance
  if (!granted)
    return refuse('rate_limited', `${perMinute} people can be invited in a minute. Wait a minute, then try again.`, {
      retryAfterSeconds,
    })
  const invited = await inviteMember(writing, person.user.id, invitation)
  if (isRefusal(invited)) await counts.giveBack(key, allowance)
  return invited
}

async function findMember({ writing }: ChosenWorkspace, memberId: string): Promise<Member | Refusal<'not_found'>> {
  return (await listMembers(writing)).find(({ id }) => id === memberId) ?? noSuchMember()
}

/** Nobody can demote an owner, and nobody can regain a role that they gave up. */
function isForGood(chosen: ChosenWorkspace, member: Member, to: Role): boolean {
  return to !== member.role && (to === 'owner' || isSelf(chosen, member))
}
