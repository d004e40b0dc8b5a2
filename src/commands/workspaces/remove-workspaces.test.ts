import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { DELETION_GRACE_MS } from '../../domain/workspace/deletion.ts'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { removeWorkspaces } from './remove-workspaces.ts'

const world = useWorld()

test('a workspace is removed a minute after its grace, and one that was restored stays', async () => {
  const at = world.clock.now()
  const [going, staying] = [await world.workspace('Going'), await world.workspace('Staying')]
  const keyOf = async (workspace: typeof going) => (await createPerson(workspace, workspace.workspaceId, 'owner')).token
  const [theirs, ours] = [await keyOf(going), await keyOf(staying)]
  await going.api('DELETE', '/v1/workspace?name=Going', undefined, { key: theirs })
  await staying.api('DELETE', '/v1/workspace?name=Staying', undefined, { key: ours })
  await staying.api('POST', '/v1/workspace/restore', undefined, { key: ours })

  world.clock.set(plus(at, DELETION_GRACE_MS + MINUTE_MS - 1))
  expect(await removeWorkspaces(world.services)).toBe(0)
  world.clock.set(plus(at, DELETION_GRACE_MS + MINUTE_MS))
  expect(await removeWorkspaces(world.services)).toBe(1)
  expect(await world.db.query(sql`select name from workspace`)).toEqual([{ name: 'Staying' }])
  expect((await going.api('GET', '/v1/whoami')).status).toBe(401)
  expect(world.logged).toContainEqual(expect.objectContaining({ event: 'workspace.removed', workspaceId: going.orgId }))
})
