import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { inviteMember } from '../../commands/members/invite-member.ts'
import { openInvitationLink } from '../../commands/members/open-invitation-link.ts'
import type { Role } from '../../domain/member/member.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('open invitations are listed, the oldest first, until they expire', async () => {
  const owner = await createPerson(world.services, acme.workspaceId, 'owner')
  const invite = async (email: string) =>
    accepted(await inviteMember(acme, owner.userId, { email, role: 'member' })).invitation
  const emails = async () =>
    (await acme.api('GET', '/v1/members/invitations')).body.data.map(({ email }: { email: string }) => email)
  const first = await invite('first@people.example')
  await world.clock.advance(DAY_MS)
  await invite('second@people.example')
  expect(await emails()).toEqual(['first@people.example', 'second@people.example'])
  const { body } = await acme.api('GET', '/v1/members/invitations')
  expect(body.data[0]).toEqual({ ...first, url: null })
  await world.clock.advance(DAY_MS)
  expect(await emails()).toEqual(['second@people.example'])
})

test('who invited is nobody once their account is gone', async () => {
  const gone = await createPerson(world.services, acme.workspaceId, 'admin')
  const { invitation } = accepted(
    await inviteMember(acme, gone.userId, { email: 'orphan@people.example', role: 'member' }),
  )
  await world.db.query(sql`delete from user_account where id = ${gone.userId}`)
  const { body } = await acme.api('GET', '/v1/members/invitations')
  expect(body.data.find(({ id }: { id: string }) => id === invitation.id).invitedBy).toBeNull()
})

test('a link, which would make a member of whoever reads it, is shown to those only who could invite themselves', async () => {
  const workspace = await world.workspace('Links')
  const owner = await createPerson(world.services, workspace.workspaceId, 'owner')
  accepted(await inviteMember(workspace, owner.userId, { email: 'admin-to-be@people.example', role: 'admin' }))
  const urlFor = async (key: string) =>
    (await workspace.api('GET', '/v1/members/invitations', undefined, { key })).body.data?.[0].url as
      | string
      | null
      | undefined
  const shown: unknown[] = []
  for (const role of ['owner', 'admin', 'member'] as Role[])
    for (const scope of ['write', 'read'] as const) {
      const { token } = await createPerson(world.services, workspace.workspaceId, role, { scope })
      shown.push([role, scope, typeof (await urlFor(token)) === 'string'])
    }
  expect(shown).toEqual([
    ['owner', 'write', true],
    ['owner', 'read', false],
    ['admin', 'write', true],
    ['admin', 'read', false],
    ['member', 'write', false],
    ['member', 'read', false],
  ])
  expect([await urlFor(workspace.writeKey), await urlFor(workspace.readKey)]).toEqual([null, null])
  const token = (await urlFor(owner.token))!.split('/').at(-1)!
  expect(await openInvitationLink(world.services, token)).toMatchObject({ email: 'admin-to-be@people.example' })
})

test('members are not told who is invited', async () => {
  const { token } = await createPerson(world.services, acme.workspaceId, 'member')
  const { status, body } = await acme.api('GET', '/v1/members/invitations', undefined, { key: token })
  expect([status, body.error.code]).toEqual([403, 'forbidden'])
})

test('a link that was mailed is shown to nobody, also when the installation sends no mail any more', async () => {
  const workspace = await world.workspace('Was mailed')
  const owner = await createPerson(world.services, workspace.workspaceId, 'owner')
  const mailing = {
    ...workspace,
    mail: { send: async () => ({ outcome: 'sent' as const }), close: async () => undefined },
  }
  expect(
    accepted(await inviteMember(mailing, owner.userId, { email: 'mailed@people.example', role: 'member' })).invitation
      .url,
  ).toBeNull()
  const again = await workspace.api(
    'POST',
    '/v1/members/invitations',
    { email: 'mailed@people.example' },
    { key: owner.token },
  )
  expect([again.status, again.body.url]).toEqual([200, null])
  expect(
    (await workspace.api('GET', '/v1/members/invitations', undefined, { key: owner.token })).body.data[0].url,
  ).toBeNull()
})

test('invitations of other workspaces are not in it', async () => {
  const other = await world.workspace('Other')
  expect((await other.api('GET', '/v1/members/invitations')).body).toEqual({ data: [] })
})
