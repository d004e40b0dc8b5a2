import { expect, test } from 'vitest'
import { createPerson, createToken } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { listGrantsOf } from '../../queries/accounts/list-grants-of.ts'
import { sql } from '../../store/database.ts'
import { revokeGrant } from './revoke-grant.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('what a program was allowed in a workspace is one entry, however often it was allowed, and ends together', async () => {
  const [joe, other] = [
    await createPerson(world.services, acme.workspaceId, 'member'),
    await createPerson(world.services, acme.workspaceId, 'member'),
  ]
  const [first] = await listGrantsOf(world.db, joe.userId, world.clock.now())
  const again = async (workspaceId: Uuid, userId: Uuid, id: Uuid) =>
    world.db.query(sql`
      insert into oauth_grant (workspace_id, id, user_id, client_id, scope, resource, created_at)
      values (${workspaceId}, ${id}, ${userId}, ${first!.clientId}, 'read', 'https://earshot.test/mcp',
        ${new Date(world.clock.now().getTime() + 1000)})`)
  const second = newUuid(world.clock.now())
  await again(acme.workspaceId, joe.userId, second)
  await again(acme.workspaceId, other.userId, newUuid(world.clock.now()))
  expect(await listGrantsOf(world.db, joe.userId, world.clock.now())).toEqual([first])
  const token = await createToken(world.services, acme.workspaceId, second, 'eat', 'read')
  expect((await world.api('GET', '/v1/whoami', undefined, { key: token })).status).toBe(200)
  expect(await revokeGrant(world.services, joe.userId, first!)).toBeUndefined()
  for (const text of [joe.token, token])
    expect((await world.api('GET', '/v1/whoami', undefined, { key: text })).status).toBe(401)
  // What others allowed the same program is theirs.
  expect((await listGrantsOf(world.db, other.userId, world.clock.now())).map(({ clientId }) => clientId)).toContain(
    first!.clientId,
  )
})
