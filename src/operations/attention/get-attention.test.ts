import { expect, test } from 'vitest'
import { makeAttentionItem } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { toId } from '../../kernel/ids.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const get = (id: string, workspace = acme) =>
  workspace.api('GET', `/v1/attention/${id}`, undefined, { key: workspace.readKey })

test('an item is answered as the list shows it, also when it is over', async () => {
  const [open] = [(await acme.makeOne('att'))!]
  expect(await get(open)).toMatchObject({ status: 200, body: { id: open, status: 'open' } })
  expect((await get(open)).body).toEqual((await acme.api('GET', '/v1/attention')).body.data[0])
  const data = { channel: { label: 'Hooks' }, failures: 6 }
  const about = { kind: 'channel.failing', data, at: world.clock.now(), resolved: true }
  const over = toId('att', await makeAttentionItem(world, acme.workspaceId, about))
  expect((await get(over)).body).toMatchObject({ id: over, status: 'resolved', data })
})

test('an item of another workspace is not found', async () => {
  const [id, other] = [(await acme.makeOne('att'))!, await world.workspace('Other')]
  expect(await get(id, other)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
})
