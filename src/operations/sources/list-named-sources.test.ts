import { expect, test } from 'vitest'
import { placed, ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'

const world = useWorld(() => ({ sources: scriptedSources(ready(placed('feeds'))) }))
const acme = useWorkspace(world, 'Acme')

test('each feed has its last fault, in words without details of the network', async () => {
  const name = (address: string) => acme.api('POST', '/v1/named-sources', { platform: 'feeds', address })
  for (const host of ['gone', 'down']) await name(`https://${host}.example/feed`)
  await world.clock.advance(1000)
  const fail = (host: string, error: string) =>
    world.db.query(sql`
      update place set last_polled_at = ${world.clock.now()}, failures = 1, last_error = ${error}
      where host = ${host}`)
  await fail('gone.example', 'gone: There is nothing at this address (status 404).')
  await fail('down.example', 'unavailable: connect ECONNREFUSED 10.0.0.7:443')
  const { data } = (await acme.api('GET', '/v1/named-sources')).body
  expect(data.map((item: { status: string; lastError: string }) => [item.status, item.lastError])).toEqual([
    ['failing', 'There is nothing at this address (status 404).'],
    ['failing', 'The platform could not be reached or did not answer in time.'],
  ])
})
