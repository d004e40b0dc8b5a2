import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'

let keyword: TestKeyword
const world = useWorld()
beforeEach(() => world.clock.advance(MINUTE_MS))
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  keyword = await makeKeyword(acme)
})

const create = (body: object, workspace = acme) => workspace.api('POST', '/v1/views', body)

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
