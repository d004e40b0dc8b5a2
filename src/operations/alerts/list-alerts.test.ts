import { expect, test } from 'vitest'
import { createWorld } from '../../../test/world.ts'

test('rules are listed whole, the oldest first, without those of others', async () => {
  const world = await createWorld()
  try {
    const acme = await world.workspace('Acme')
    const other = await world.workspace('Other')
    expect((await acme.api('GET', '/v1/alerts')).body).toEqual({ data: [] })
    const made = []
    for (const name of ['b', 'a', 'c']) made.push((await acme.api('POST', '/v1/alerts', { name })).body)
    await other.api('POST', '/v1/alerts', { name: 'foreign' })
    const { status, body } = await acme.api('GET', '/v1/alerts', undefined, { key: acme.readKey })
    expect([status, body]).toEqual([200, { data: made }])
  } finally {
    await world.close()
  }
})
