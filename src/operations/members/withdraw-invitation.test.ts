import { beforeEach, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { inviteMember } from '../../commands/members/invite-member.ts'
import { openInvitationLink } from '../../commands/members/open-invitation-link.ts'
import { withdrawInvitation } from '../../commands/members/withdraw-invitation.ts'
import { INVITATION_MS } from '../../domain/member/invitation.ts'
import { fromId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

let owner: Person
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  owner = await createPerson(world.services, acme.workspaceId, 'owner')
})

async function invited() {
  return accepted(await inviteMember(acme, owner.userId, { email: 'guest@people.example', role: 'member' })).invitation
}

async function withdraw(id: string, key: string): Promise<unknown> {
  const { status, body } = await acme.api('DELETE', `/v1/members/invitations/${id}`, undefined, { key })
  return [status, body?.error?.code ?? null]
}

test('a withdrawn invitation opens nothing and is gone from the list', async () => {
  const { id, url } = await invited()
  const admin = await createPerson(world.services, acme.workspaceId, 'admin')
  expect(await withdraw(id, admin.token)).toEqual([204, null])
  expect(await openInvitationLink(world.services, url!.split('/').at(-1)!)).toMatchObject({ code: 'invalid_token' })
  expect((await acme.api('GET', '/v1/members/invitations')).body.data).toEqual([])
  expect(await withdraw(id, admin.token)).toEqual([404, 'not_found'])
})

test('a mail that has not left yet goes with its invitation, and no other mail', async () => {
  const mailing = { ...acme, mail: { send: async () => ({ outcome: 'sent' as const }), close: async () => undefined } }
  const invite = async (email: string) =>
    accepted(await inviteMember(mailing, owner.userId, { email, role: 'member' })).invitation.id
  const [first] = [await invite('taken-back@people.example'), await invite('stays@people.example')]
  const waiting = () =>
    world.db.query<{ about: Uuid }>(sql`select about from account_mail where about is not null order by id`)
  expect(await waiting()).toHaveLength(2)
  expect(await withdraw(first, owner.token)).toEqual([204, null])
  expect(await waiting()).toHaveLength(1)
  expect((await waiting())[0]!.about).not.toBe(fromId('inv', first))
})

test('an expired invitation is none to withdraw', async () => {
  const { id } = await invited()
  await world.clock.advance(INVITATION_MS)
  const later = await createPerson(world.services, acme.workspaceId, 'owner')
  expect(await withdraw(id, later.token)).toEqual([404, 'not_found'])
})

test('members, API keys and owners elsewhere withdraw nothing', async () => {
  const { id, url } = await invited()
  const member = await createPerson(world.services, acme.workspaceId, 'member')
  const other = await world.workspace('Other')
  const stranger = await createPerson(world.services, other.workspaceId, 'owner')
  expect(await withdraw(id, member.token)).toEqual([403, 'forbidden'])
  expect(await withdraw(id, acme.writeKey)).toEqual([403, 'forbidden'])
  expect(await withdraw(id, stranger.token)).toEqual([404, 'not_found'])
  // As it is for who lost the right since their request began.
  expect(await withdrawInvitation(acme, member.userId, fromId('inv', id)!)).toMatchObject({ code: 'forbidden' })
  expect(await openInvitationLink(world.services, url!.split('/').at(-1)!)).toMatchObject({
    workspaceId: acme.workspaceId,
  })
})
