import { expect, test } from 'vitest'
import { placed, ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'
import { prunePlaces } from '../../store/source/places.ts'

const world = useWorld(() => ({ sources: scriptedSources(ready(placed('feeds'))) }))
const acme = useWorkspace(world, 'Acme')
const bravo = useWorkspace(world, 'Bravo')

test('a feed that another workspace names too goes for one and stays for the other', async () => {
  const input = { platform: 'feeds', address: 'https://shared.example/feed' }
  const [first, second] = [acme, bravo].map((workspace) => workspace.api('POST', '/v1/named-sources', input))
  const [own, other] = [(await first!).body.id, (await second!).body.id]
  expect((await acme.api('DELETE', `/v1/named-sources/${other}`)).status).toBe(404)
  expect((await acme.api('DELETE', `/v1/named-sources/${own}`)).status).toBe(204)
  expect(await prunePlaces(world.db)).toBe(0)
  expect((await bravo.api('GET', '/v1/named-sources')).body.data).toHaveLength(1)
  await bravo.api('DELETE', `/v1/named-sources/${other}`)
  expect(await prunePlaces(world.db)).toBe(1)
  expect(await world.db.query(sql`select from place`)).toEqual([])
})
