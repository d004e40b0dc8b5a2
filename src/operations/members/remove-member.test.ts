import { beforeEach, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { inviteMember } from '../../commands/members/invite-member.ts'
import { addMember } from '../../commands/members/join-workspace.ts'
import type { Role } from '../../domain/member/member.ts'
import { toId } from '../../kernel/ids.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'

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

async function idOf({ userId }: Person): Promise<string> {
  const { body } = await acme.api('GET', '/v1/members')
  return body.data.find((item: { userId: string }) => item.userId === toId('user', userId)).id
}

async function remove(by: Person, whom: Person) {
  return acme.api('DELETE', `/v1/members/${await idOf(whom)}`, undefined, { key: by.token })
}

async function codeOf(answer: ReturnType<typeof remove>): Promise<unknown> {
  const { status, body } = await answer
  return [status, body?.error?.code ?? null]
}

async function whoamiOf({ token }: Person): Promise<number> {
  return (await acme.api('GET', '/v1/whoami', undefined, { key: token })).status
}

test('who was removed is a member no more, and their token is refused from the next request on', async () => {
  expect(await remove(admin, member)).toMatchObject({ status: 204, body: null })
  expect(JSON.stringify((await acme.api('GET', '/v1/members')).body)).not.toContain(member.email)
  expect(await whoamiOf(member)).toBe(401)
})

test('old tokens stay refused when the person joins again', async () => {
  await remove(owner, member)
  await world.db.transaction((tx) =>
    addMember(tx, world.services, { workspaceId: acme.workspaceId, role: 'member' }, member.userId, world.clock.now()),
  )
  expect(await whoamiOf(member)).toBe(401)
})

test('sessions lose the workspace but not the person, and other workspaces are not touched', async () => {
  const other = await world.workspace('Other')
  const elsewhere = await createPerson(world.services, other.workspaceId, 'member')
  await world.db.transaction((tx) =>
    addMember(
      tx,
      world.services,
      { workspaceId: acme.workspaceId, role: 'member' },
      elsewhere.userId,
      world.clock.now(),
    ),
  )
  const chosen = async ({ sessionSecret }: Person) => {
    const hash = secretOf(sessionSecret)!.hash
    return (
      await world.db.query<{ workspace_id: string | null }>(
        sql`select workspace_id from user_session where hash = ${hash}`,
      )
    )[0]!.workspace_id
  }
  await remove(owner, elsewhere)
  await remove(owner, member)
  expect([await chosen(member), await chosen(elsewhere)]).toEqual([null, other.workspaceId])
  expect([await whoamiOf(elsewhere), await whoamiOf(owner)]).toEqual([200, 200])
})

test('invitations that the removed person made are withdrawn, those of others are not', async () => {
  accepted(await inviteMember(acme, admin.userId, { email: 'back-door@people.example', role: 'admin' }))
  accepted(await inviteMember(acme, owner.userId, { email: 'guest@people.example', role: 'member' }))
  await remove(owner, admin)
  const { body } = await acme.api('GET', '/v1/members/invitations')
  expect(body.data.map(({ email }: { email: string }) => email)).toEqual(['guest@people.example'])
})

test('everybody may leave, but members remove nobody else', async () => {
  const second = await join('member')
  expect(await codeOf(remove(member, second))).toEqual([403, 'forbidden'])
  expect(await codeOf(remove(member, admin))).toEqual([403, 'forbidden'])
  expect(await codeOf(remove(member, member))).toEqual([204, null])
  expect(await codeOf(remove(admin, admin))).toEqual([204, null])
})

test('an owner is removed only by an owner', async () => {
  const second = await join('owner')
  expect(await codeOf(remove(admin, second))).toEqual([403, 'forbidden'])
  expect(await codeOf(remove(second, owner))).toEqual([204, null])
})

test('the last owner can neither be removed nor leave', async () => {
  expect(await codeOf(remove(owner, owner))).toEqual([409, 'last_owner'])
  expect(await codeOf(remove(admin, owner))).toEqual([403, 'forbidden'])
  expect(await whoamiOf(owner)).toBe(200)
})

test.each(['leave', 'remove each other'])('of two owners who %s at once one stays', async (deed) => {
  const second = await join('owner')
  const ids = [await idOf(owner), await idOf(second)]
  const by = deed === 'leave' ? [owner, second] : [second, owner]
  const answers = await Promise.all(
    by.map(({ token }, at) => acme.api('DELETE', `/v1/members/${ids[at]}`, undefined, { key: token })),
  )
  const codes = answers.map(({ status }) => status).sort()
  // The slower of two who remove each other may be recognised still or no more.
  expect([[204, 409].join(), [204, 403].join(), [204, 401].join()]).toContain(codes.join())
  expect(
    (await acme.api('GET', '/v1/members')).body.data.filter(({ role }: { role: Role }) => role === 'owner'),
  ).toHaveLength(1)
})

test('an API key removes nobody, and neither does a token with read scope', async () => {
  const id = await idOf(member)
  const byKey = await acme.api('DELETE', `/v1/members/${id}`)
  expect([byKey.status, byKey.body.error.code]).toEqual([403, 'forbidden'])
  const reading = await createPerson(world.services, acme.workspaceId, 'owner', { scope: 'read' })
  expect(await codeOf(remove(reading, member))).toEqual([403, 'read_only_key'])
})

test('an owner elsewhere does not reach into this workspace', async () => {
  const other = await world.workspace('Other')
  const stranger = await createPerson(world.services, other.workspaceId, 'owner')
  expect(await codeOf(remove(stranger, member))).toEqual([404, 'not_found'])
  expect(await whoamiOf(member)).toBe(200)
})

test('a member is removed once', async () => {
  const id = await idOf(member)
  const answers = await Promise.all(
    [owner, admin].map(({ token }) => acme.api('DELETE', `/v1/members/${id}`, undefined, { key: token })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
})
