import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { newUuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a group goes without an answer, and is gone', async () => {
  const id = await acme.group('Doomed')
  expect(await acme.api('DELETE', `/v1/groups/${id}`)).toMatchObject({ status: 204, body: null })
  expect((await acme.api('DELETE', `/v1/groups/${id}`)).status).toBe(404)
})

test('its name is free again', async () => {
  const id = await acme.group('Phoenix')
  await acme.api('DELETE', `/v1/groups/${id}`)
  expect((await acme.api('POST', '/v1/groups', { name: 'Phoenix' })).status).toBe(201)
})

test('the default group stays', async () => {
  const { id } = (await acme.api('GET', '/v1/groups')).body.data[0]
  const { status, body } = await acme.api('DELETE', `/v1/groups/${id}`)
  expect([status, body.error.code]).toEqual([409, 'default_group'])
})

test('its keywords go with it and leave their names, those of other groups stay', async () => {
  const id = await acme.group('Crowd')
  const own = await keywordIn(id, 'rocket')
  const other = await keywordIn((await acme.api('GET', '/v1/groups')).body.data[0].id, 'rocket')
  expect((await acme.api('GET', `/v1/groups/${id}`)).body.stats).toEqual({ keywords: 1, active: 1 })
  expect((await acme.api('DELETE', `/v1/groups/${id}`)).status).toBe(204)
  expect(await world.db.query(sql`select id from keyword where workspace_id = ${acme.workspaceId}`)).toEqual([
    { id: other },
  ])
  expect(
    await world.db.query(
      sql`select id, term, group_name from removed_keyword where workspace_id = ${acme.workspaceId}`,
    ),
  ).toEqual([{ id: own, term: 'rocket', group_name: 'Crowd' }])
})

test('alert rules that name it forget it, and one that names only it matches nothing', async () => {
  const going = stored('grp', await acme.group('Going'))
  const staying = stored('grp', await acme.group('Staying'))
  const both = await ruleFor([going, staying])
  const only = await ruleFor([going])
  const untouched = await ruleFor([staying])
  const id = (await acme.api('GET', '/v1/groups')).body.data.find(({ name }: { name: string }) => name === 'Going').id
  await acme.api('DELETE', `/v1/groups/${id}`)
  const rules = await world.db.query<{ id: string }>(
    sql`select id, filter, version from alert where workspace_id = ${acme.workspaceId}`,
  )
  expect(new Map(rules.map((rule) => [rule.id, rule]))).toEqual(
    new Map([
      [both, { id: both, filter: { groupIds: [staying] }, version: 2 }],
      [only, { id: only, filter: { groupIds: [] }, version: 2 }],
      [untouched, { id: untouched, filter: { groupIds: [staying] }, version: 1 }],
    ]),
  )
})

async function ruleFor(groupIds: string[]): Promise<string> {
  const id = newUuid(world.clock.now())
  await world.db.query(sql`
    insert into alert (workspace_id, id, name, mode, event, filter, created_at)
    values (${acme.workspaceId}, ${id}, 'Rule', 'instant', 'mention.matched', ${JSON.stringify({ groupIds })}::jsonb,
      ${world.clock.now()})`)
  return id
}

async function keywordIn(group: string, term: string): Promise<string> {
  const id = newUuid(world.clock.now())
  await world.db.query(sql`
    insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode,
      excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted, created_at, judged_since)
    values (${acme.workspaceId}, ${id}, ${stored('grp', group)}, ${term}, ${term}, 'brand', '{}', 'any', '{}', '{}',
      '{}', false, false, ${world.clock.now()}, ${world.clock.now()})`)
  return id
}
