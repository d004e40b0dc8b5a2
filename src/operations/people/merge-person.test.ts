import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { newId } from '../../kernel/ids.ts'
import { writes } from './authors.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const merge = (id: string, into: string) => acme.api('POST', `/v1/people/${id}/merge`, { into })
const patch = (id: string, body: object) => acme.api('PATCH', `/v1/people/${id}`, body)

test('accounts, counts, tags and notes of both are one, under the id that remains, and the other id leads there', async () => {
  const ada = await writes(world, acme, 'ada', { mentions: 2, author: { followers: 10 } })
  const countess = await writes(world, acme, 'countess', {
    author: { followers: 700 },
    post: { platform: 'x' },
    verdict: { sentiment: 'negative' },
  })
  await patch(ada, { tags: ['VIP'], notes: 'First.' })
  await patch(countess, { tags: ['press', 'VIP'], notes: 'Second.' })
  const before = (await acme.api('GET', '/v1/people')).body.total
  const { status, body } = await merge(countess, ada)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: ada,
    name: 'ada',
    accounts: [
      { id: ada, platform: 'bluesky' },
      { id: countess, platform: 'x' },
    ],
    reach: { followers: 700 },
    stats: { mentions: 3, sentiment: { neutral: 2, negative: 1 } },
    annotations: { tags: ['VIP', 'press'], notes: 'First.\n\nSecond.', muted: false },
  })
  expect((await acme.api('GET', `/v1/people/${countess}`)).body).toEqual(body)
  expect((await acme.api('GET', '/v1/people')).body.total).toBe(before - 1)
  for (const q of ['ada', 'countess']) expect((await acme.api('GET', `/v1/people?q=${q}`)).body.data).toEqual([body])
  for (const id of [ada, countess])
    expect((await acme.api('GET', `/v1/mentions/count?personId=${id}`)).body.total).toBe(3)
  const { body: mentions } = await acme.api('GET', `/v1/mentions?personId=${ada}`)
  expect(mentions.data.map(({ author }: { author: { personId: string } }) => author.personId)).toEqual([ada, ada, ada])
})

test('mentions that come later count for the person who took the account in', async () => {
  const [staying, going] = [await writes(world, acme, 'staying'), await writes(world, acme, 'going')]
  await merge(going, staying)
  await writes(world, acme, 'going')
  expect((await acme.api('GET', `/v1/people/${staying}`)).body.stats.mentions).toBe(3)
})

test('who is joined with somebody muted is muted, and what waits of either is not sent', async () => {
  const keyword = await makeKeyword(acme)
  const { body: channel } = await acme.api('POST', '/v1/channels', {
    kind: 'webhook',
    url: 'https://receiver.example/hook',
  })
  await acme.api('POST', '/v1/alerts', {
    name: 'All',
    mode: 'instant',
    event: 'mention.matched',
    filter: {},
    channelIds: [channel.id],
  })
  const [loud, quiet] = [
    await writes(world, acme, 'loud', { keyword }),
    await writes(world, acme, 'quiet', { keyword }),
  ]
  await patch(quiet, { muted: true })
  const author = {
    id: 'did:plc:loud',
    name: 'loud',
    handle: 'loud.example',
    url: null,
    avatarUrl: null,
    followers: null,
    automated: null,
  }
  const [made] = await score(world, await store(world, [matchedBy(makePost(world, { author }), [keyword])]))
  expect((await merge(quiet, loud)).body.annotations.muted).toBe(true)
  const { body } = await acme.api('GET', `/v1/channels/${channel.id}/deliveries`)
  expect(body.data.find(({ mention }: { mention: { id: string } | null }) => mention !== null).status).toBe('cancelled')
  expect(made).toBeDefined()
})

test('more tags than there is room for are left out', async () => {
  const tags = (from: number) => Array.from({ length: 15 }, (_, at) => `tag ${from + at}`)
  const [first, second] = [await writes(world, acme, 'tagged'), await writes(world, acme, 'labelled')]
  await patch(first, { tags: tags(0) })
  await patch(second, { tags: tags(10) })
  expect((await merge(second, first)).body.annotations.tags).toEqual([...tags(0), ...tags(15).slice(0, 5)])
})

test('notes that are too long together are refused and lost by neither', async () => {
  const [first, second] = [await writes(world, acme, 'wordy'), await writes(world, acme, 'verbose')]
  await patch(first, { notes: '🦊'.repeat(3000) })
  await patch(second, { notes: 'x'.repeat(999) })
  const { status, body } = await merge(second, first)
  expect([status, body.error.code]).toEqual([409, 'conflict'])
  for (const [id, length] of [
    [first, 3000],
    [second, 999],
  ] as const) {
    const shown = (await acme.api('GET', `/v1/people/${id}`)).body
    expect([shown.id, [...shown.annotations.notes].length]).toEqual([id, length])
  }
  await patch(second, { notes: 'x'.repeat(998) })
  expect([...(await merge(second, first)).body.annotations.notes]).toHaveLength(4000)
})

test('nobody is merged with themselves, under whatever id, nor with somebody who is not there', async () => {
  const [first, second] = [await writes(world, acme, 'self'), await writes(world, acme, 'alias')]
  await merge(second, first)
  for (const into of [first, second])
    expect((await merge(first, into)).body.error).toMatchObject({
      code: 'validation_error',
      message: 'into: must be another person',
    })
  expect((await merge(first, newId('aut', world.clock.now()))).body.error.code).toBe('not_found')
})

test('two merges against each other at once end in one person', async () => {
  const [first, second] = [await writes(world, acme, 'left'), await writes(world, acme, 'right')]
  const answers = await Promise.all([merge(first, second), merge(second, first)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await acme.api('GET', `/v1/people/${first}`)).body.accounts).toHaveLength(2)
})
