import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'
import type { Role } from '../definition.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const rename = (body: object, key: string) => acme.api('PATCH', '/v1/workspace', body, { key })
const named = async () => (await acme.api('GET', '/v1/whoami')).body.workspace.name
const tokenOf = async (role: Role) => (await createPerson(acme, acme.workspaceId, role)).token

test.each(['owner', 'admin'] as const)('%s renames the workspace, which is seen at once', async (role) => {
  const other = await world.workspace('Acme')
  const before = await named()
  const answer = await rename({ name: `  Acme of\n${role}s ` }, await tokenOf(role))
  expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^org_/), name: `Acme of ${role}s` } })
  expect(await named()).toBe(`Acme of ${role}s`)
  expect((await other.api('GET', '/v1/whoami')).body.workspace.name).toBe('Acme')
  const entries = await world.db.query(
    sql`select kind, data from audit_entry where workspace_id = ${acme.workspaceId} order by id desc limit 1`,
  )
  expect(entries).toEqual([{ kind: 'workspace.renamed', data: { from: before } }])
})

test('members and keys do not, and an empty name is none', async () => {
  const before = await named()
  for (const key of [await tokenOf('member'), acme.writeKey])
    expect((await rename({ name: 'Taken' }, key)).body.error.code).toBe('forbidden')
  expect((await rename({ name: ' ' }, await tokenOf('owner'))).body.error.details).toEqual([
    { field: 'name', reason: 'must not be empty' },
  ])
  expect((await rename({}, await tokenOf('owner'))).body.name).toBe(before)
  expect(await named()).toBe(before)
})
