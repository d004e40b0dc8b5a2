import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('the default group comes first, then the oldest', async () => {
  const first = await acme.group('Zebra')
  await world.clock.advance(1)
  const second = await acme.group('Ant')
  const { status, body } = await acme.api('GET', '/v1/groups')
  expect(status).toBe(200)
  expect(
    body.data.map(({ id, isDefault }: { id: string; isDefault: boolean }) => [isDefault, isDefault ? 'default' : id]),
  ).toEqual([
    [true, 'default'],
    [false, first],
    [false, second],
  ])
})

test('a new workspace has just its default group', async () => {
  const { body } = await (await world.workspace('New')).api('GET', '/v1/groups')
  expect(body.data).toMatchObject([
    { name: 'Default', isDefault: true, externalId: null, context: '', stats: { keywords: 0, active: 0 } },
  ])
})

test('an externalId is looked up exactly', async () => {
  const { body: made } = await acme.api('POST', '/v1/groups', { name: 'External', externalId: 'Crm-7' })
  expect((await acme.api('GET', '/v1/groups?externalId=Crm-7')).body).toEqual({ data: [made] })
  for (const other of ['crm-7', '%20Crm-7', 'Crm-7%20'])
    expect((await acme.api('GET', `/v1/groups?externalId=${other}`)).body).toEqual({ data: [] })
})

test('an empty externalId is refused', async () => {
  expect((await acme.api('GET', '/v1/groups?externalId=')).body.error.message).toBe('externalId: must not be empty')
})

test('with a limit groups come in pages, in the same order', async () => {
  const workspace = await world.workspace('Paged')
  const names = ['Default', 'Zebra', 'Ant', 'Bee', 'Cow']
  for (const name of names.slice(1)) await workspace.group(name)
  const pages: string[][] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await workspace.api('GET', `/v1/groups?limit=2${cursor}`)
    expect(status).toBe(200)
    pages.push(body.data.map(({ name }: { name: string }) => name))
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(pages).toEqual([['Default', 'Zebra'], ['Ant', 'Bee'], ['Cow']])
  expect(Object.keys((await workspace.api('GET', '/v1/groups')).body)).toEqual(['data'])
})

test('a page goes on behind the default group, and a cursor that is none or whose group is gone is refused', async () => {
  const workspace = await world.workspace('Cursors')
  await workspace.group('Ant')
  const gone = await workspace.group('Bee')
  await workspace.group('Cow')
  const first = (await workspace.api('GET', '/v1/groups?limit=1')).body
  expect((await workspace.api('GET', `/v1/groups?limit=1&cursor=${first.nextCursor}`)).body.data).toMatchObject([
    { name: 'Ant' },
  ])
  expect((await workspace.api('GET', '/v1/groups?limit=1&cursor=x')).body.error.code).toBe('invalid_cursor')
  const { nextCursor } = (await workspace.api('GET', '/v1/groups?limit=3')).body
  expect((await acme.api('GET', `/v1/groups?limit=1&cursor=${nextCursor}`)).body.error.code).toBe('not_found')
  await workspace.api('DELETE', `/v1/groups/${gone}`)
  expect((await workspace.api('GET', `/v1/groups?limit=1&cursor=${nextCursor}`)).body.error.code).toBe('not_found')
})
