import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('the workspace is shown to every credential, without a scheduled deletion', async () => {
  expect((await acme.api('GET', '/v1/workspace', undefined, { key: acme.readKey })).body).toEqual({
    id: acme.orgId,
    name: 'Acme',
    createdAt: world.clock.now().toISOString(),
    deletesAt: null,
    retention: {
      mentions: { days: null, ownDays: null, longestDays: null },
      deliveries: { days: 30, ownDays: null, longestDays: 30 },
    },
  })
})
