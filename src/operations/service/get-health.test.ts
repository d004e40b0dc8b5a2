import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'

const world = useWorld()

test('health is told without a credential and without the database', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(await world.api('GET', '/v1/health')).toMatchObject({ status: 200, body: { status: 'ok', version } })
  expect((await world.api('GET', '/v1/health')).headers.get('x-ratelimit-limit')).toBeNull()
})
