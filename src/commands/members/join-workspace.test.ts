import { beforeEach, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { INVITATION_MS, linkOf } from '../../domain/member/invitation.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { inviteMember } from './invite-member.ts'
import { addMember, joinWorkspace } from './join-workspace.ts'
import { roleOf } from './lock-team.ts'
import { type OpenInvitation, openInvitationLink } from './open-invitation-link.ts'

let owner: Uuid
let guest: { userId: Uuid; email: string }
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  owner = (await createPerson(world.services, acme.workspaceId, 'owner')).userId
  const elsewhere = await world.workspace('Elsewhere')
  guest = await createPerson(world.services, elsewhere.workspaceId, 'member')
})

/** Invites the guest and answers what stands at the end of the link. */
async function invite(role: 'admin' | 'member' = 'admin'): Promise<string> {
  const { invitation } = accepted(await inviteMember(acme, owner, { email: guest.email, role }))
  return invitation.url!.split('/').at(-1)!
}

async function open(token: string): Promise<OpenInvitation> {
  return accepted(await openInvitationLink(world.services, token))
}

function join(invitation: OpenInvitation, userId = guest.userId) {
  return world.db.transaction((tx) => joinWorkspace(tx, world.services, invitation, userId, world.clock.now()))
}

function roleIn(workspaceId: Uuid, userId: Uuid) {
  return world.db.transaction((tx) => roleOf(tx, workspaceId, userId))
}

test('a link opens what it is an invitation to', async () => {
  expect(await open(await invite())).toEqual({
    workspaceId: acme.workspaceId,
    workspaceName: 'Acme',
    mailed: false,
    id: expect.any(String),
    email: guest.email,
    role: 'admin',
    invitedByName: 'Person who is owner',
  })
})

test('a link still opens when the account of who invited is gone', async () => {
  const token = await invite()
  await world.db.query(sql`delete from user_account where id = ${owner}`)
  expect((await open(token)).invitedByName).toBeNull()
})

test('who joins has the role of the invitation, and the link is used up', async () => {
  const token = await invite()
  expect(await join(await open(token))).toBeUndefined()
  expect(await roleIn(acme.workspaceId, guest.userId)).toBe('admin')
  expect(await openInvitationLink(world.services, token)).toMatchObject({ code: 'invalid_token', status: 404 })
})

test('an invitation lets in one of two who use it at once', async () => {
  const invitation = await open(await invite())
  const other = await createPerson(world.services, (await world.workspace('Other')).workspaceId, 'member')
  const answers = await Promise.all([join(invitation), join(invitation, other.userId)])
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(1)
  expect(answers.find(isRefusal)).toMatchObject({ code: 'invalid_token', status: 404 })
  const roles = await Promise.all([guest.userId, other.userId].map((userId) => roleIn(acme.workspaceId, userId)))
  expect(roles.filter((role) => role !== null)).toEqual(['admin'])
})

test('an invitation that was opened in time but withdrawn or expired since lets nobody in', async () => {
  const invitation = await open(await invite())
  await world.clock.advance(INVITATION_MS)
  expect(await join(invitation)).toMatchObject({ code: 'invalid_token' })

  const later = await open(await invite())
  await world.db.query(sql`delete from invitation where workspace_id = ${acme.workspaceId} and id = ${later.id}`)
  expect(await join(later)).toMatchObject({ code: 'invalid_token' })
  expect(await roleIn(acme.workspaceId, guest.userId)).toBeNull()
})

test('who is a member already keeps their role, and the invitation is gone', async () => {
  const token = await invite('member')
  const invitation = await open(token)
  await world.db.transaction((tx) =>
    addMember(tx, world.services, { workspaceId: acme.workspaceId, role: 'owner' }, guest.userId, world.clock.now()),
  )
  expect(await join(invitation)).toBeUndefined()
  expect(await roleIn(acme.workspaceId, guest.userId)).toBe('owner')
  expect(isRefusal(await openInvitationLink(world.services, token))).toBe(true)
})

test('a link works to its last moment and not after it', async () => {
  const token = await invite()
  await world.clock.advance(INVITATION_MS - 1)
  expect((await open(token)).workspaceId).toBe(acme.workspaceId)
  await world.clock.advance(1)
  expect(await openInvitationLink(world.services, token)).toMatchObject({ code: 'invalid_token', status: 404 })
})

test('the id of an invitation opens nothing under another workspace', async () => {
  const { id } = await open(await invite())
  const other = await world.workspace('Other')
  const forged = linkOf(world.services, { workspaceId: other.workspaceId, id }).split('/').at(-1)!
  expect(await openInvitationLink(world.services, forged)).toMatchObject({ code: 'invalid_token' })
  const joined = world.db.transaction((tx) =>
    joinWorkspace(tx, world.services, { workspaceId: other.workspaceId, id }, guest.userId, world.clock.now()),
  )
  expect(await joined).toMatchObject({ code: 'invalid_token' })
  expect(await roleIn(other.workspaceId, guest.userId)).toBeNull()
})

test.each([
  ['nothing', ''],
  ['a version alone', 'v1.'],
  ['a word', 'nonsense'],
  ['a path', '../../etc/passwd'],
  ['too little', 'v1.AAAA'],
  ['an escape', '%00'],
  ['an endless text', `v1.${'x'.repeat(5000)}`],
])('%s is no link', async (_, token) => {
  expect(await openInvitationLink(world.services, token)).toMatchObject({ code: 'invalid_token', status: 404 })
})
