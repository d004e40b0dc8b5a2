import { expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'

const world = useWorld()

test('a keyword is made without hints when they cannot be looked up, and the log says so', async () => {
  const acme = await world.workspace('Acme')
  await world.admin('alter table word_companion rename to word_companion_gone')
  const { status, body } = await acme.api('POST', '/v1/keywords', { term: 'apple' })
  expect([status, body.hints]).toEqual([201, []])
  expect(world.logged).toContainEqual(expect.objectContaining({ level: 'warn', event: 'keyword.hints_failed' }))
})
