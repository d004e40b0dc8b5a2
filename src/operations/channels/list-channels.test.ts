import { expect, test } from 'vitest'
import { createWorld } from '../../../test/world.ts'

test('channels are listed whole, the oldest first, without secrets and without those of others', async () => {
  const world = await createWorld()
  try {
    const acme = await world.workspace('Acme')
    const other = await world.workspace('Other')
    expect((await acme.api('GET', '/v1/channels')).body).toEqual({ data: [] })
    for (const label of ['first', 'second', 'third'])
      await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/', label })
    await other.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/', label: 'foreign' })
    const { status, body } = await acme.api('GET', '/v1/channels', undefined, { key: acme.readKey })
    expect(status).toBe(200)
    expect(body.data.map((channel: { label: string }) => channel.label)).toEqual(['first', 'second', 'third'])
    expect(JSON.stringify(body)).not.toContain('whsec_')
  } finally {
    await world.close()
  }
})
