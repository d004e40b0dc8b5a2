import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { newId } from '../../kernel/ids.ts'

let keyword: TestKeyword
let channelId: string
// biome-ignore lint/suspicious/noExplicitAny: the answer of the interface, read freely
let rule: any
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  keyword = await makeKeyword(acme)
  channelId = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body.id
})
beforeEach(async () => {
  rule = (
    await acme.api('POST', '/v1/alerts', {
      name: 'Rule',
      filter: { minLikes: 0, excludeAuthors: ['@first'] },
      enabled: false,
    })
  ).body
})

const mute = (authors: unknown, id: string = rule.id) => acme.api('POST', `/v1/alerts/${id}/mute`, { authors })

test('muted people stand in the filter in their normal form, behind those who were there', async () => {
  const { status, body } = await mute([
    ' @Jane ',
    'u/Bot_1',
    'https://twitter.com/Acme',
    'did:plc:z72i7hdynmk6r22z27h6tvur',
    'Acme, Inc.',
    '@FIRST',
  ])
  const excludeAuthors = [
    'first',
    'jane',
    'https://www.reddit.com/user/bot_1',
    'https://x.com/acme',
    'https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur',
    'acme, inc.',
  ]
  expect([status, body]).toEqual([200, { ...rule, filter: { minLikes: 0, excludeAuthors }, version: 2 }])
  expect((await mute(excludeAuthors)).body).toEqual(body)
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body).toEqual(body)
})

test('from the next scored mention on nothing by them is sent, and the others go on', async () => {
  const { id } = (await acme.api('POST', '/v1/alerts', { name: 'Rule', channelIds: [channelId] })).body
  const by = async (handle: string) => {
    const author = { id: null, name: null, handle, url: null, avatarUrl: null, followers: null, automated: null }
    return (await score(world, [await mention(world, keyword, { platform: 'x', author })])).length
  }
  expect([await by('jane'), await by('joe')]).toEqual([1, 1])
  await mute(['https://x.com/Jane'], id)
  expect([await by('jane'), await by('joe')]).toEqual([0, 1])
  await acme.api('POST', `/v1/alerts/${id}/unmute`, { authors: ['https://twitter.com/jane'] })
  expect([await by('jane'), await by('joe')]).toEqual([1, 1])
})

test('the link of a post stands for its author where the workspace has the post, and for nobody elsewhere', async () => {
  const link = 'https://bsky.app/profile/jane.example/post/3kabc'
  await mention(world, keyword, {
    platform: 'x',
    nativeId: '1720000000000000001',
    url: 'https://x.com/i/status/1720000000000000001',
    author: { id: '77', name: 'Jane', handle: 'jane', url: null, avatarUrl: null, followers: null, automated: null },
  })
  const { body } = await mute(['https://x.com/i/status/1720000000000000001', link])
  expect(body.filter.excludeAuthors).toEqual(
    expect.arrayContaining(['first', 'https://x.com/jane', 'https://bsky.app/profile/jane.example']),
  )
  const other = await world.workspace('Other')
  const own = (await other.api('POST', '/v1/alerts', { name: 'Rule' })).body.id
  const foreign = await other.api('POST', `/v1/alerts/${own}/mute`, {
    authors: ['https://x.com/i/status/1720000000000000001'],
  })
  expect([foreign.status, foreign.body.error.message]).toEqual([
    400,
    'authors.0: this link does not name its author; send the profile link, the @handle or the name',
  ])
})

test('what is muted at the same time is muted together', async () => {
  await Promise.all(['one', 'two', 'three'].map((name) => mute([name])))
  const { filter, version } = (await acme.api('GET', `/v1/alerts/${rule.id}`)).body
  expect([filter.excludeAuthors.toSorted(), version]).toEqual([['first', 'one', 'three', 'two'], 4])
})

test('a rule mutes 200 people and not one more', async () => {
  const names = Array.from({ length: 199 }, (_, number) => `person ${number}`)
  expect((await mute(names)).body.filter.excludeAuthors).toHaveLength(200)
  expect((await mute(names)).status).toBe(200)
  const { status, body } = await mute(['one more'])
  expect([status, body.error.message]).toEqual([400, 'authors: a rule can mute at most 200 authors'])
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body.version).toBe(2)
})

test('a body that is wrong is refused by naming the field, and changes nothing', async () => {
  for (const [body, message] of [
    [{}, 'authors: is required'],
    [{ authors: 'jane' }, 'authors: must be a list'],
    [{ authors: [] }, 'authors: must not be empty'],
    [{ authors: ['  '] }, 'authors.0: must not be empty'],
    [{ authors: ['jane', 'x'.repeat(501)] }, 'authors.1: must have at most 500 characters'],
    [{ authors: ['jane', 'https://github.com/acme/app'] }, 'authors.1: a repository names no person'],
    [{ authors: Array.from({ length: 201 }, (_, at) => `p${at}`) }, 'authors: must have at most 200 entries'],
    [{ authors: ['jane'], ifVersion: 1 }, 'ifVersion: is not a field of this operation'],
  ] as const) {
    const answer = await acme.api('POST', `/v1/alerts/${rule.id}/mute`, body)
    expect([answer.status, answer.body.error.message]).toEqual([400, message])
  }
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body).toEqual(rule)
})

test('a rule that the workspace has not is not found', async () => {
  expect((await mute(['jane'], newId('feed', world.clock.now()))).status).toBe(404)
})
