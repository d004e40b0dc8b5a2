import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'

let world: World
let acme: TestWorkspace
let keyword: TestKeyword
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  await world.clock.advance(MINUTE_MS)
  acme = await world.workspace('Acme')
  keyword = await makeKeyword(acme)
})
afterAll(() => world.close())

const create = (body: object, one = acme) => one.api('POST', '/v1/views', body)

test('a keyword or group that goes leaves the filter, which then matches nothing rather than everything', async () => {
  const group = await acme.group('Going')
  const mine = await makeKeyword(acme)
  await score(world, [await mention(world, keyword)])
  const { body } = await create({
    name: 'Going',
    filter: { keywordIds: [mine.shown.id], anyOf: [{ groupIds: [group] }, { minLikes: 0 }] },
  })
  await acme.api('DELETE', `/v1/keywords/${mine.shown.id}`)
  await acme.api('DELETE', `/v1/groups/${group}`)
  expect((await acme.api('GET', `/v1/views/${body.id}`)).body).toMatchObject({
    filter: { keywordIds: [], anyOf: [{ groupIds: [] }, { minLikes: 0 }] },
    version: 3,
  })
  expect((await acme.api('GET', `/v1/mentions?viewId=${body.id}`)).body.data).toEqual([])
})
