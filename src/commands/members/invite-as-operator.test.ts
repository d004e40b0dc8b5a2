import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { INVITATION_MS } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { sql } from '../../store/database.ts'
import { codeOf, granted, PASSWORD, SOME_MAIL, waitingMails } from '../accounts/people.suite.ts'
import { signUpInvited } from '../accounts/sign-up-invited.ts'
import { inviteAsOperator } from './invite-as-operator.ts'
import { inviteMember } from './invite-member.ts'
import { openInvitationLink } from './open-invitation-link.ts'

const world = useWorld({ mail: SOME_MAIL })
const acme = useFreshWorkspace(world, 'Acme')

const NEW = { name: 'Jane', password: PASSWORD }
const tokenOf = (link: string) => link.split('/').at(-1)!

async function operators(email: string, role: Role | null): Promise<{ token: string; role: Role }> {
  const invitation = granted(await inviteAsOperator(acme, email, role))
  expect(invitation.link).toMatch(/^https:\/\/earshot\.test\/invitations\/v1\./)
  return { token: tokenOf(invitation.link), role: invitation.role }
}

test.each(['owner', 'admin', 'member'] as const)(
  'somebody becomes %s by a link that nobody was mailed',
  async (role) => {
    const email = `${role}@acme.example`
    const { token } = await operators(` ${email.toUpperCase()} `, role)
    const before = (await waitingMails(world)).length
    const { userId } = granted(await signUpInvited(world.services, token, NEW))
    expect(await listWorkspacesOf(world.db, userId)).toEqual([{ id: acme.workspaceId, name: 'Acme', role }])
    expect(await waitingMails(world)).toHaveLength(before)
    expect(await world.db.query(sql`select email_confirmed_at from user_account where id = ${userId}`)).toEqual([
      { email_confirmed_at: null },
    ])
  },
)

test('without a role somebody becomes the owner where there is none, and a member where there is', async () => {
  expect((await operators('first@acme.example', null)).role).toBe('owner')
  await createPerson(world.services, acme.workspaceId, 'admin')
  expect((await operators('first@acme.example', null)).role).toBe('owner')
  await createPerson(world.services, acme.workspaceId, 'owner')
  expect((await operators('first@acme.example', null)).role).toBe('member')
})

test('an open invitation of the address is replaced, with its mail, and its link opens nothing any more', async () => {
  const owner = await createPerson(world.services, acme.workspaceId, 'owner')
  accepted(await inviteMember(acme, owner.userId, { email: 'jane@replaced.example', role: 'member' }))
  const mailed = (await waitingMails(world)).find(({ to }) => to === 'jane@replaced.example')!
  const old = tokenOf(/https:\S+/.exec(mailed.text)![0])
  const { token } = await operators('Jane@replaced.example', 'owner')
  expect(codeOf(await openInvitationLink(world.services, old))).toBe('invalid_token')
  expect(await openInvitationLink(world.services, token)).toMatchObject({
    role: 'owner',
    mailed: false,
    invitedByName: null,
  })
  expect((await waitingMails(world)).filter(({ to }) => to === 'jane@replaced.example')).toEqual([])
})

test('who is a member is not invited, and neither is what is no address', async () => {
  const { email } = await createPerson(world.services, acme.workspaceId, 'member')
  expect(codeOf(await inviteAsOperator(acme, email.toUpperCase(), 'owner'))).toBe('already_member')
  expect(codeOf(await inviteAsOperator(acme, 'jane', 'owner'))).toBe('validation_error')
})

test('the link is over after two days', async () => {
  const { token } = await operators('late@acme.example', 'owner')
  await world.clock.advance(INVITATION_MS)
  expect(codeOf(await signUpInvited(world.services, token, NEW))).toBe('invalid_token')
})

test('the link of an owner is shown to nobody in the workspace, not even to owners', async () => {
  await operators('owner-to-be@acme.example', 'owner')
  await operators('member-to-be@acme.example', 'member')
  for (const role of ['admin', 'owner'] as const) {
    const { token } = await createPerson(world.services, acme.workspaceId, role)
    const { data } = (await acme.api('GET', '/v1/members/invitations', undefined, { key: token })).body
    expect(data).toMatchObject([
      { email: 'owner-to-be@acme.example', role: 'owner', invitedBy: null, url: null },
      {
        email: 'member-to-be@acme.example',
        role: 'member',
        invitedBy: null,
        url: expect.stringContaining('/invitations/'),
      },
    ])
  }
})

test('nobody invites an owner over the interface', async () => {
  const owner = await createPerson(world.services, acme.workspaceId, 'owner')
  const { status, body } = await acme.api(
    'POST',
    '/v1/members/invitations',
    { email: 'x@acme.example', role: 'owner' },
    { key: owner.token },
  )
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  await operators('x@acme.example', 'owner')
  const again = await acme.api('POST', '/v1/members/invitations', { email: 'x@acme.example' }, { key: owner.token })
  expect([again.status, again.body.role, again.body.url]).toEqual([200, 'owner', null])
})
