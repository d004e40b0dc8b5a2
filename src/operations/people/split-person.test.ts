import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { writes } from './authors.suite.ts'

let made = 0
const world = useWorld()
const acme = useWorkspace(world, 'Acme')

interface PersonBody {
  id: string
  accounts: object[]
  annotations: object
  stats: { mentions: number }
}

const split = (id: string, body?: object) => acme.api('POST', `/v1/people/${id}/split`, body)

/** Three accounts that are one person, muted and tagged. */
async function merged(): Promise<string[]> {
  made += 1
  const ids = []
  for (const name of ['one', 'two', 'three']) ids.push(await writes(world, acme, `${name}${made}`))
  for (const id of ids.slice(1)) await acme.api('POST', `/v1/people/${id}/merge`, { into: ids[0] })
  await acme.api('PATCH', `/v1/people/${ids[0]}`, { tags: ['VIP'], notes: 'Seen.', muted: true })
  return ids
}

test.each([undefined, {}])(
  'without names (%j) all accounts are people of their own, of whom the team says the same',
  async (body) => {
    const ids = await merged()
    const before = (await acme.api('GET', '/v1/people')).body.total
    const answer = await split(ids[0]!, body)
    expect(answer.status).toBe(200)
    const people: [string, ...unknown[]][] = answer.body.data.map((item: PersonBody) => [
      item.id,
      item.accounts.length,
      item.annotations,
      item.stats.mentions,
    ])
    const annotations = { tags: ['VIP'], notes: 'Seen.', muted: true }
    expect(people[0]).toEqual([ids[0], 1, annotations, 1])
    expect(new Set(people.map(([id]) => id))).toEqual(new Set(ids))
    for (const person of people) expect(person.slice(1)).toEqual([1, annotations, 1])
    expect((await acme.api('GET', '/v1/people')).body.total).toBe(before + 2)
    expect((await split(ids[0]!)).body.error.code).toBe('conflict')
  },
)

test('only the accounts that are named leave', async () => {
  const [first, second, three] = await merged()
  const { body } = await split(first!, { accountIds: [three] })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([first, three])
  expect(body.data[0].accounts.map(({ id }: { id: string }) => id)).toEqual([first, second])
  expect((await acme.api('GET', `/v1/people/${second}`)).body.id).toBe(first)
})

test('the account that gives the id stays, and accounts of others are not taken', async () => {
  const [text] = await merged()
  const stranger = await writes(world, acme, 'stranger')
  expect((await split(text!, { accountIds: [text] })).body.error.message).toBe(
    'accountIds: must not name the first account, which gives the person its id',
  )
  const foreign = await split(text!, { accountIds: [stranger] })
  expect([foreign.status, foreign.body.error.code]).toEqual([409, 'conflict'])
  expect((await acme.api('GET', `/v1/people/${text}`)).body.accounts).toHaveLength(3)
})
