import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, score, store } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { foldPeople } from '../../commands/people/fold-people.ts'
import { newId, toId } from '../../kernel/ids.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

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

test('what has a title only shows it as its text, and whoever is named with a mention is found at once', async () => {
  const keyword = await makeKeyword(acme)
  const post = makePost(world, {
    title: 'Acme in one line',
    text: '',
    author: {
      id: 'newcomer',
      name: 'New Comer',
      handle: null,
      url: null,
      avatarUrl: null,
      followers: 7,
      automated: null,
    },
  })
  const [made] = await store(world, [matchedBy(post, [keyword])])
  const path = `/v1/mentions/${toId('mtn', made!.mentionId)}`
  const { body } = await acme.api('GET', path)
  expect(body.post).toMatchObject({ title: 'Acme in one line', text: 'Acme in one line' })
  const csv = (await acme.api('GET', `/v1/mentions/export.csv?keywordId=${keyword.shown.id}`)).body
  expect(csv).toContain(',Acme in one line')
  // Neither scored nor added up, then scored, then added up: the same person.
  const person = async () => (await acme.api('GET', `/v1/people/${body.author.personId}`)).body
  const shown = {
    id: body.author.personId,
    name: 'New Comer',
    reach: { followers: 7 },
    accounts: [{ id: body.author.personId }],
  }
  expect(await person()).toMatchObject({ ...shown, stats: { mentions: 0, firstSeenAt: null } })
  await score(world, [made!])
  const scored = await person()
  expect(scored).toMatchObject({
    ...shown,
    stats: { mentions: 1, relevant: 1, firstSeenAt: post.publishedAt.toISOString() },
  })
  expect((await acme.api('GET', `/v1/mentions?personId=${body.author.personId}`)).body.data).toHaveLength(1)
  await foldPeople(world.services)
  expect(await person()).toEqual(scored)
  const other = await world.workspace('Elsewhere')
  expect((await other.api('GET', `/v1/people/${body.author.personId}`)).status).toBe(404)
})

test('a mention that the workspace has not is not found', async () => {
  const foreign = await mention(world, await makeKeyword(await world.workspace('Other')))
  for (const id of [
    toId('mtn', foreign.mentionId),
    newId('mtn', world.clock.now()),
    'mtn_1',
    toId('kw', foreign.mentionId),
  ]) {
    const { status, body } = await acme.api('GET', `/v1/mentions/${id}`)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
})
