import { expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { forgetApiKeys } from './forget-api-keys.ts'

const world = useWorld()

test('a key that was revoked 90 days ago is forgotten, and no other', async () => {
  const acme = await world.workspace('Acme')
  const revoke = async (name: string) =>
    acme.api('DELETE', `/v1/api-keys/${(await acme.api('POST', '/v1/api-keys', { name })).body.id}`)
  await revoke('Old')
  await world.clock.advance(60 * DAY_MS)
  await revoke('Young')
  await world.clock.advance(30 * DAY_MS + 1)
  expect(await forgetApiKeys(world.services)).toBe(1)
  const names = await world.db.query(
    sql`select name from api_key where workspace_id = ${acme.workspaceId} order by name`,
  )
  expect(names).toEqual(['Young', 'read', 'write'].map((name) => ({ name })).sort((a, b) => (a.name < b.name ? -1 : 1)))
  expect(await forgetApiKeys(world.services)).toBe(0)
})
