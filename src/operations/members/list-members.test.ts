import { beforeAll, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { Role } from '../../domain/member/member.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'

const people: Person[] = []
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  for (const role of ['member', 'admin', 'owner', 'member', 'admin', 'owner'] as Role[]) {
    people.push(await createPerson(world.services, acme.workspaceId, role))
    await world.clock.advance(MINUTE_MS)
  }
})

test('owners come first, then admins, then the others, each as they joined', async () => {
  const { status, body } = await acme.api('GET', '/v1/members')
  expect(status).toBe(200)
  const order = [2, 5, 1, 4, 0, 3].map((at) => people[at]!)
  expect(body.data.map(({ userId }: { userId: string }) => userId)).toEqual(
    order.map(({ userId }) => toId('user', userId)),
  )
  expect(body.data[0]).toEqual({
    id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
    userId: toId('user', people[2]!.userId),
    email: people[2]!.email,
    name: 'Person who is owner',
    role: 'owner',
    joinedAt: expect.stringMatching(/Z$/),
  })
})

test('every credential of the workspace may read it', async () => {
  const reader = await createPerson(world.services, acme.workspaceId, 'member', { scope: 'read' })
  for (const key of [acme.readKey, people[0]!.token, reader.token])
    expect((await acme.api('GET', '/v1/members', undefined, { key })).status).toBe(200)
})

test('people of other workspaces are not in it', async () => {
  const other = await world.workspace('Other')
  const stranger = await createPerson(world.services, other.workspaceId, 'owner')
  const { body } = await acme.api('GET', '/v1/members')
  expect(JSON.stringify(body)).not.toContain(stranger.email)
  expect((await other.api('GET', '/v1/members')).body.data).toHaveLength(1)
})
