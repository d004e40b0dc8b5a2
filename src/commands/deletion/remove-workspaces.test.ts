import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { createSlackStandIn } from '../../../test/stand-ins/slack.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import { DELETION_GRACE_MS } from '../../domain/workspace/deletion.ts'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { connect } from '../channels/slack/slack.suite.ts'
import { removeWorkspaces } from './remove-workspaces.ts'

const stand = useResource(createSlackStandIn)
const world = useWorld(() => ({ slack: stand.slack }))

test('a workspace is removed a minute after its grace, and one that was restored stays', async () => {
  const at = world.clock.now()
  const [going, staying] = [await world.workspace('Going'), await world.workspace('Staying')]
  const keyOf = async (workspace: typeof going) => (await createPerson(workspace, workspace.workspaceId, 'owner')).token
  const [theirs, ours] = [await keyOf(going), await keyOf(staying)]
  await connect(world, stand, going)
  expect(stand.tokens.size).toBe(1)
  await going.api('DELETE', '/v1/workspace?name=Going', undefined, { key: theirs })
  await staying.api('DELETE', '/v1/workspace?name=Staying', undefined, { key: ours })
  await staying.api('POST', '/v1/workspace/restore', undefined, { key: ours })

  world.clock.set(plus(at, DELETION_GRACE_MS + MINUTE_MS - 1))
  expect(await removeWorkspaces(world.services)).toBe(0)
  world.clock.set(plus(at, DELETION_GRACE_MS + MINUTE_MS))
  expect(await removeWorkspaces(world.services)).toBe(1)
  expect(await world.db.query(sql`select name from workspace`)).toEqual([{ name: 'Staying' }])
  expect((await going.api('GET', '/v1/whoami')).status).toBe(401)
  expect(stand.tokens.size).toBe(0)
  expect(world.logged).toContainEqual(expect.objectContaining({ event: 'workspace.removed', workspaceId: going.orgId }))
})

test('a workspace that cannot be removed holds up no other', async () => {
  const [stuck, going] = [await world.workspace('Stuck'), await world.workspace('Free')]
  for (const [workspace, name] of [
    [stuck, 'Stuck'],
    [going, 'Free'],
  ] as const) {
    const key = (await createPerson(workspace, workspace.workspaceId, 'owner')).token
    expect((await workspace.api('DELETE', `/v1/workspace?name=${name}`, undefined, { key })).status).toBe(202)
  }
  await world.admin(`create function refuse_removal() returns trigger language plpgsql as $$ begin
    raise exception 'not this one'; end $$`)
  await world.admin(`create trigger refuses before delete on workspace for each row
    when (old.name = 'Stuck') execute function refuse_removal()`)
  world.clock.set(plus(world.clock.now(), DELETION_GRACE_MS + MINUTE_MS))
  await expect(removeWorkspaces(world.services)).rejects.toThrow('the deletion of 1 workspaces failed')
  expect(await world.db.query(sql`select name from workspace where name in ('Stuck', 'Free')`)).toEqual([
    { name: 'Stuck' },
  ])
})
