import { expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { VERSION } from '../../kernel/version.ts'

const world = useWorld()

test('the description is of this installation and can be read without a credential', async () => {
  const { status, body } = await world.api('GET', '/v1/openapi.json')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Earshot', version: VERSION },
    servers: [{ url: PUBLIC_URL }],
  })
  expect(Object.keys(body.paths)).toContain('/v1/groups/{id}')
})
