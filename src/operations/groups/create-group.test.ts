import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a new group is answered whole, empty and not the default one', async () => {
  const { status, body } = await acme.api('POST', '/v1/groups', {
    name: '  Product \n launch ',
    externalId: 'crm-7',
    context: 'Rockets.\nOn wheels.',
  })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^grp_[0-9a-z]{26}$/),
    name: 'Product launch',
    externalId: 'crm-7',
    isDefault: false,
    context: 'Rockets.\nOn wheels.',
    stats: { keywords: 0, active: 0 },
    createdAt: world.clock.now().toISOString(),
    updatedAt: world.clock.now().toISOString(),
  })
})

test.each(['  two  spaces ', 'e\u0301', 'ﬁ', '🦊'.repeat(200)])(
  'the externalId %j is kept exactly as it was sent, and found by it only',
  async (externalId) => {
    const { status, body } = await acme.api('POST', '/v1/groups', { name: `Exact ${externalId.length}`, externalId })
    expect([status, body.externalId]).toEqual([201, externalId])
    expect((await acme.api('GET', `/v1/groups?externalId=${encodeURIComponent(externalId)}`)).body.data).toEqual([body])
    const folded = externalId.normalize('NFKC').trim()
    if (folded !== externalId)
      expect((await acme.api('GET', `/v1/groups?externalId=${encodeURIComponent(folded)}`)).body.data).toEqual([])
  },
)

test('externalId and context may be left out', async () => {
  const { body } = await acme.api('POST', '/v1/groups', { name: 'Bare' })
  expect(body).toMatchObject({ externalId: null, context: '' })
})

test.each(['taken', 'TAKEN', ' Taken ', 'ｔａｋｅｎ'])('the name %j of an existing group is refused', async (name) => {
  await acme.api('POST', '/v1/groups', { name: 'Taken' })
  const { status, body } = await acme.api('POST', '/v1/groups', { name })
  expect([status, body.error.code]).toEqual([409, 'duplicate_group'])
})

test('an externalId is given once', async () => {
  await acme.api('POST', '/v1/groups', { name: 'First', externalId: 'same' })
  const { status, body } = await acme.api('POST', '/v1/groups', { name: 'Second', externalId: 'same' })
  expect([status, body.error.code]).toEqual([409, 'duplicate_group'])
})

test('names and externalIds of other workspaces are free', async () => {
  const other = await world.workspace('Other')
  await acme.api('POST', '/v1/groups', { name: 'Shared', externalId: 'shared' })
  expect((await other.api('POST', '/v1/groups', { name: 'Shared', externalId: 'shared' })).status).toBe(201)
})

test('two groups with one name made at once become one', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => acme.api('POST', '/v1/groups', { name: 'Race' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
})

test.each([
  [{}, 'name: is required'],
  [{ name: 5 }, 'name: must be text'],
  [{ name: ' \n ' }, 'name: must not be empty'],
  [{ name: 'x'.repeat(81) }, 'name: must have at most 80 characters'],
  [{ name: 'ok', externalId: '' }, 'externalId: must not be empty'],
  [{ name: 'ok', externalId: 'x'.repeat(201) }, 'externalId: must have at most 200 characters'],
  [{ name: 'ok', externalId: 'a\u0000' }, 'externalId: must not hold control characters'],
  [{ name: 'ok', externalId: '\udc00' }, 'externalId: must not hold half surrogate pairs'],
  [{ name: 'ok', context: 'x'.repeat(4001) }, 'context: must have at most 4000 characters'],
  [{ name: 'ok', nonsense: 1 }, 'nonsense: is not a field of this operation'],
  [[], 'body: must be an object'],
  ['text', 'body: must be an object'],
])('%j is refused by naming the field', async (body, message) => {
  const answer = await acme.api('POST', '/v1/groups', body)
  expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([400, 'validation_error', message])
})

test('a name of 80 characters outside the basic plane fits', async () => {
  const { status, body } = await acme.api('POST', '/v1/groups', { name: '🦊'.repeat(80) })
  expect([status, body.name]).toEqual([201, '🦊'.repeat(80)])
})
