import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import { newId, toId } from '../../kernel/ids.ts'

let world: World
let acme: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
})
afterAll(() => world.close())

test('a mention is the same alone as in the list, before and after its score', async () => {
  const made = await mention(world, await makeKeyword(acme))
  const path = `/v1/mentions/${toId('mtn', made.mentionId)}`
  const listed = async () => (await acme.api('GET', '/v1/mentions')).body.data[0]
  expect((await acme.api('GET', path)).body).toEqual(await listed())
  expect((await listed()).classification).toBeNull()
  await score(world, [made])
  const { status, body } = await acme.api('GET', path, undefined, { key: acme.readKey })
  expect(status).toBe(200)
  expect(body).toEqual(await listed())
  expect(body.classification.relevance).toBe(80)
})

test('a mention that the workspace has not is not found', async () => {
  const foreign = await mention(world, await makeKeyword(await world.workspace('Other')))
  for (const id of [toId('mtn', foreign.mentionId), newId('mtn', world.clock.now()), 'mtn_1', toId('kw', foreign.mentionId)]) {
    const { status, body } = await acme.api('GET', `/v1/mentions/${id}`)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
})
