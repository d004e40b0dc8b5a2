import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const dismiss = (id: string, workspace = acme, key = workspace.writeKey) =>
  workspace.api('POST', `/v1/attention/${id}/dismiss`, undefined, { key })

test('an open item is dismissed once, however often that is asked for', async () => {
  const id = (await acme.makeOne('att'))!
  const first = await dismiss(id)
  expect(first).toMatchObject({
    status: 200,
    body: { id, status: 'dismissed', dismissedAt: world.clock.now().toISOString(), resolvedAt: null },
  })
  await world.clock.advance(1000)
  expect(await Promise.all([dismiss(id), dismiss(id)])).toMatchObject([{ body: first.body }, { body: first.body }])
  expect((await acme.api('GET', '/v1/attention')).body.data).toEqual([])
})

test('an item that is over stays resolved', async () => {
  const id = (await acme.makeOne('att'))!
  await world.db.query(
    sql`update attention_item set resolved_at = ${world.clock.now()} where workspace_id = ${acme.workspaceId}
        and id = ${stored('att', id)}`,
  )
  expect(await dismiss(id)).toMatchObject({ status: 200, body: { status: 'resolved', dismissedAt: null } })
})

test('an item of another workspace is not found, and a read key dismisses nothing', async () => {
  const [id, other] = [(await acme.makeOne('att'))!, await world.workspace('Other')]
  expect((await dismiss(id, other)).body.error.code).toBe('not_found')
  expect((await dismiss(id, acme, acme.readKey)).body.error.code).toBe('read_only_key')
  expect((await acme.api('GET', '/v1/attention')).body.data.map((item: { id: string }) => item.id)).toEqual([id])
})
