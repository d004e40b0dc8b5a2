import { beforeEach, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { inviteMember } from '../../commands/members/invite-member.ts'
import type { Role } from '../../domain/member/member.ts'
import { toId } from '../../kernel/ids.ts'

let owner: Person
let admin: Person
let member: Person
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  owner = await join('owner')
  admin = await join('admin')
  member = await join('member')
})

function join(role: Role) {
  return createPerson(world.services, acme.workspaceId, role)
}

async function membersOf(workspace = acme): Promise<{ id: string; userId: string; role: Role }[]> {
  return (await workspace.api('GET', '/v1/members')).body.data
}

async function idOf({ userId }: Person): Promise<string> {
  return (await membersOf()).find((member) => member.userId === toId('user', userId))!.id
}

async function change(by: Person, whom: Person, role: string) {
  return acme.api('PATCH', `/v1/members/${await idOf(whom)}`, { role }, { key: by.token })
}

test('an admin changes admins and members, and the answer is the member as it is now', async () => {
  const { status, body } = await change(admin, member, 'admin')
  expect([status, body]).toEqual([
    200,
    (await membersOf()).find(({ userId }) => userId === toId('user', member.userId)),
  ])
  expect(body.role).toBe('admin')
  expect((await change(admin, member, 'member')).body.role).toBe('member')
})

test('a role counts from the next request on', async () => {
  const invite = () =>
    acme.api('POST', '/v1/members/invitations', { email: 'new@people.example' }, { key: admin.token })
  await change(owner, admin, 'member')
  const refused = await invite()
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
  await change(owner, admin, 'admin')
  expect((await invite()).status).toBe(201)
})

test('the invitations of an admin who becomes a member are withdrawn, those of others are not, and a promotion withdraws none', async () => {
  const second = await join('admin')
  for (const [by, email] of [
    [admin, 'back-door@people.example'],
    [second, 'promoted@people.example'],
    [owner, 'guest@people.example'],
  ] as const)
    accepted(await inviteMember(acme, by.userId, { email, role: 'admin' }))
  const open = async () =>
    (await acme.api('GET', '/v1/members/invitations', undefined, { key: owner.token })).body.data.map(
      ({ email }: { email: string }) => email,
    )
  await change(owner, admin, 'admin')
  expect(await open()).toHaveLength(3)
  await change(owner, second, 'owner')
  await change(owner, admin, 'member')
  expect(await open()).toEqual(['promoted@people.example', 'guest@people.example'])
})

test('only an owner makes an owner', async () => {
  const refused = await change(admin, member, 'owner')
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
  const herself = await change(admin, admin, 'owner')
  expect([herself.status, herself.body.error.code]).toEqual([403, 'forbidden'])
  expect((await change(owner, member, 'owner')).body.role).toBe('owner')
})

test('nobody changes the role of an owner, not even that owner', async () => {
  const second = await join('owner')
  for (const by of [owner, second, admin])
    for (const role of ['admin', 'member']) {
      const { status, body } = await change(by, second, role)
      expect([status, body.error.code]).toEqual([403, 'forbidden'])
    }
  expect((await membersOf()).filter(({ role }) => role === 'owner')).toHaveLength(2)
})

test('the same role again changes nothing and is no error', async () => {
  expect((await change(owner, owner, 'owner')).status).toBe(200)
  expect((await change(admin, admin, 'admin')).status).toBe(200)
})

test('members and API keys change nobody', async () => {
  for (const role of ['admin', 'member', 'owner']) {
    const { status, body } = await change(member, member, role)
    expect([status, body.error.code]).toEqual([403, 'forbidden'])
    const byKey = await acme.api('PATCH', `/v1/members/${await idOf(member)}`, { role })
    expect([byKey.status, byKey.body.error.code]).toEqual([403, 'forbidden'])
  }
})

test('a token with read scope changes nobody, even of an owner', async () => {
  const reading = await createPerson(world.services, acme.workspaceId, 'owner', { scope: 'read' })
  const { status, body } = await change(reading, member, 'admin')
  expect([status, body.error.code]).toEqual([403, 'read_only_key'])
})

test('an owner elsewhere does not reach into this workspace', async () => {
  const other = await world.workspace('Other')
  const stranger = await createPerson(world.services, other.workspaceId, 'owner')
  const { status, body } = await change(stranger, member, 'admin')
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test('two admins who make members of each other at once: one of them is one afterwards', async () => {
  const second = await join('admin')
  const ids = [await idOf(admin), await idOf(second)]
  const answers = await Promise.all(
    [second, admin].map((by, at) => acme.api('PATCH', `/v1/members/${ids[at]}`, { role: 'member' }, { key: by.token })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
})

test.each([
  [{}, 'role: must be one of owner, admin, member'],
  [{ role: 'king' }, 'role: must be one of owner, admin, member'],
  [{ role: 'admin', name: 'x' }, 'name: is not a field of this operation'],
])('%j is refused by naming the field', async (body, message) => {
  const answer = await acme.api('PATCH', `/v1/members/${await idOf(member)}`, body, { key: owner.token })
  expect([answer.status, answer.body.error.message]).toEqual([400, message])
})
