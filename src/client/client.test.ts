import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { makeKeyword, mention, score } from '../../test/mentions.ts'
import { until } from '../../test/until.ts'
import { useFreshWorkspace, useWorkspace, useWorld } from '../../test/use-world.ts'
import { toId } from '../kernel/ids.ts'
import { CATALOGUE } from '../operations/catalogue.ts'
import { pascal } from '../surfaces/openapi/parts.ts'
import { type Client, createClient, isEarshotError, type Schema } from './index.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
let client: Client
beforeAll(() => {
  client = createClient({ url: world.origin, apiKey: acme.writeKey, retries: 0 })
})

test('has a method for each operation', () => {
  const names = CATALOGUE.map(({ id }) => pascal(id)).map((name) => name.charAt(0).toLowerCase() + name.slice(1))
  const methods = Object.keys(client).filter((name) => name !== 'request')
  expect(methods.sort()).toEqual(names.sort())
})

test('creates, reads, changes and deletes', async () => {
  const made = await client.createGroup({ name: 'Launch' })
  expect(await client.getGroup({ id: made.id })).toEqual(made)
  expect(await client.updateGroup({ id: made.id, name: 'Start' })).toMatchObject({ name: 'Start' })
  expect(await client.deleteGroup({ id: made.id })).toBeUndefined()
  const outcome = await client.getGroup({ id: made.id }).outcome()
  expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found', status: 404 } })
})

test('says of what exists which it is', async () => {
  const made = await client.createGroup({ name: 'Twice' })
  const outcome = await client.createGroup({ name: 'Twice' }).outcome()
  if (outcome.ok || outcome.error.code !== 'duplicate_group') throw new Error('another outcome')
  expect(outcome.error.existingId).toBe(made.id)
})

test('throws errors that a catch can tell apart', async () => {
  try {
    await client.createGroup({ name: '' })
    throw new Error('it was not refused')
  } catch (error) {
    if (!isEarshotError(error) || error.code !== 'validation_error') throw error
    expect(error.details.map(({ field }) => field)).toEqual(['name'])
  }
})

test('returns texts as they are', async () => {
  expect(await client.exportPeopleCsv()).toMatch(/^id,/)
})

test('sends any other request with its credential', async () => {
  const response = await client.request({ path: '/v1/whoami' })
  expect([response.status, await response.json()]).toEqual([200, await client.whoami()])
  await expect(client.request({ path: '/v1/nowhere' })).rejects.toMatchObject({ code: 'not_found' })
})

describe('pages', () => {
  const beta = useFreshWorkspace(world, 'Beta')
  const names = Array.from({ length: 5 }, (_, at) => `Group ${at}`)
  const clientOf = async () => {
    const reader = createClient({ url: world.origin, apiKey: beta.writeKey })
    for (const name of names) await reader.createGroup({ name })
    return reader
  }

  test('by cursor are followed to the end', async () => {
    const reader = await clientOf()
    const found: string[] = []
    for await (const group of reader.listGroups({ limit: 2 })) {
      expectTypeOf(group).toEqualTypeOf<Schema<'GroupList'>['data'][number]>()
      found.push(group.name)
    }
    expect(found.filter((name) => names.includes(name)).sort()).toEqual(names)
    const sizes: number[] = []
    for await (const page of reader.listGroups({ limit: 2 }).pages()) sizes.push(page.data.length)
    expect(sizes).toEqual([2, 2, 2])
  })

  test('by offset are followed to the end', async () => {
    const reader = createClient({ url: world.origin, apiKey: beta.writeKey })
    const made: string[] = []
    for (let at = 0; at < 3; at += 1) made.push((await makeKeyword(beta)).shown.id)
    const found: string[] = []
    for await (const { id } of reader.listKeywords({ limit: 2 })) found.push(id)
    expect(found.sort()).toEqual(made.sort())
  })

  test('are one page when they are awaited', async () => {
    const reader = await clientOf()
    const page = await reader.listGroups({ limit: 2 })
    expect([page.data.length, typeof page.nextCursor]).toEqual([2, 'string'])
    expect(await reader.listGroups({ cursor: page.nextCursor! }).outcome()).toMatchObject({ ok: true })
  })
})

test('reads mentions by conditions in groups', async () => {
  const keyword = await makeKeyword(acme)
  const made = await mention(world, keyword)
  await score(world, [made], { relevance: 90 })
  const found: string[] = []
  for await (const { id } of client.listMentions({ anyOf: [{ minRelevance: 85 }, { sentiments: ['negative'] }] }))
    found.push(id)
  expect(found).toHaveLength(1)
})

describe('the live stream', () => {
  const gamma = useFreshWorkspace(world, 'Gamma')

  /** A `fetch` whose first answer can be cut off. */
  function cuttable() {
    const cut = new AbortController()
    let asked = 0
    return {
      cut: () => cut.abort(),
      fetch: (address: string | URL | Request, init?: RequestInit) => {
        asked += 1
        return fetch(address, asked > 1 ? init : { ...init, signal: AbortSignal.any([init!.signal!, cut.signal]) })
      },
    }
  }

  test('brings what was scored while the connection was down, also before the first mention', async () => {
    const keyword = await makeKeyword(gamma)
    const connection = cuttable()
    const reader = createClient({ url: world.origin, apiKey: gamma.readKey, fetch: connection.fetch })
    const states: string[] = []
    const stream = reader.streamMentions({}, { onState: (state) => states.push(state) })
    const first = stream.next()
    await until(() => states.includes('open'))
    connection.cut()
    const made = await mention(world, keyword)
    await score(world, [made])
    expect((await first).value).toMatchObject({ id: toId('mtn', made.mentionId) })
    await stream.return(undefined)
    expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open'])
  })
})
