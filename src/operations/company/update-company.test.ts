import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { sql } from '../../store/database.ts'
import { readUnscored } from '../../store/model/unscored.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => world.db.query(sql`delete from company`))

const patch = (body: object) => acme.api('PATCH', '/v1/company', body)

const WHOLE = {
  name: 'Acme',
  description: 'Rockets for everybody.',
  useCases: ['flying', 'landing'],
  competitors: ['Globex'],
  accounts: { x: 'https://x.com/acme', linkedin: 'https://www.linkedin.com/company/acme' },
  website: 'https://acme.example/',
  guidelines: 'Posts about cartoons are noise.',
}

test('fields that are sent change, others stay, and the version grows with each change that is one', async () => {
  expect((await patch(WHOLE)).body).toMatchObject({ ...WHOLE, version: 2, updatedAt: world.clock.now().toISOString() })
  await world.clock.advance(1000)
  const before = (await acme.api('GET', '/v1/company')).body
  expect((await patch({ name: 'Acme', useCases: WHOLE.useCases })).body).toEqual(before)
  expect((await patch({ accounts: { x: null } })).body).toMatchObject({
    name: 'Acme',
    accounts: { x: null, linkedin: WHOLE.accounts.linkedin },
    version: 3,
  })
})

test('null clears every field', async () => {
  await patch({ ...WHOLE, context: 'Mine.' })
  const cleared = await patch(Object.fromEntries([...Object.keys(WHOLE), 'context'].map((name) => [name, null])))
  const empty = {
    name: '',
    description: '',
    useCases: [],
    competitors: [],
    accounts: { x: null, linkedin: null },
    website: null,
    guidelines: '',
    context: '',
  }
  expect(cleared.body).toMatchObject(empty)
})

test('an empty text clears a field as null does', async () => {
  await patch(WHOLE)
  const { body } = await patch({ name: '', website: '', accounts: { x: '', linkedin: '' } })
  expect(body).toMatchObject({ name: '', website: null, accounts: { x: null, linkedin: null }, version: 3 })
  expect((await patch({ website: null, accounts: null })).body.version).toBe(3)
})

test('the context is composed from the words of the team, unless set, and again once it is cleared', async () => {
  const composed =
    'Acme.\nRockets for everybody.\nUsed for: flying; landing.\nCompetitors: Globex.\nPosts about cartoons are noise.'
  expect((await patch(WHOLE)).body.context).toBe(composed)
  expect((await patch({ context: 'We make rockets.' })).body.context).toBe('We make rockets.')
  expect((await patch({ name: 'Acme Corp' })).body.context).toBe('We make rockets.')
  expect((await patch({ context: null })).body.context).toBe(composed.replace('Acme.', 'Acme Corp.'))
})

test('a change on what was read before is refused, and of two at once one is made', async () => {
  await patch({ name: 'One' })
  const answers = await Promise.all(['Two', 'Three'].map((name) => patch({ name, ifVersion: 2 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('stale_version')
  const other = await world.workspace('Other')
  expect((await other.api('GET', '/v1/company')).body.name).toBe('')
})

test.each([
  [{ website: 'acme.example/about' }, { website: 'https://acme.example/about' }],
  [{ accounts: { x: '@Acme' } }, { accounts: { x: 'https://x.com/acme', linkedin: null } }],
  [{ accounts: { linkedin: 'acme' } }, { accounts: { x: null, linkedin: 'https://www.linkedin.com/company/acme' } }],
  [{ competitors: ['Globex', 'Globex'] }, { competitors: ['Globex'] }],
])('%j is kept as %j', async (sent, kept) => {
  expect((await patch(sent)).body).toMatchObject(kept)
})

test.each([
  [{ website: 'javascript:alert(1)' }, 'website: must be a web address'],
  [{ website: 'javascript://acme.example/%0aalert(1)' }, 'website: must be a web address'],
  [{ website: 'acme' }, 'website: must be a web address'],
  [{ accounts: { x: 'https://evil.example/acme' } }, 'accounts.x: must be a profile of X: its link or its name'],
  [
    { website: `https://acme.example/${'é'.repeat(400)}` },
    'website: must have at most 500 characters once it is written out',
  ],
  [
    { accounts: { linkedin: `https://www.linkedin.com/company/a${'İ'.repeat(190)}` } },
    'accounts.linkedin: must have at most 300 characters once it is written out',
  ],
  [{ name: 'a'.repeat(121) }, 'name: must have at most 120 characters'],
  [{ description: 'a'.repeat(2001) }, 'description: must have at most 2000 characters'],
  [{ context: 'a'.repeat(4001) }, 'context: must have at most 4000 characters'],
  [{ useCases: [''] }, 'useCases.0: must not be empty'],
  [{ version: 3 }, 'version: is not a field of this operation'],
])('%j is refused by naming the field', async (body, message) => {
  const { status, body: answer } = await patch(body)
  expect([status, answer.error.message]).toEqual([400, message])
  expect((await acme.api('GET', '/v1/company')).status).toBe(200)
})

describe('the classifier', () => {
  test('reads the company for the default group and for groups without a context, and the context of the group where there is one', async () => {
    await patch({ context: 'The company.' })
    const { body: described } = await acme.api('POST', '/v1/groups', { name: 'Described', context: 'The group.' })
    const plain = await acme.group('Plain')
    const keywords = [
      await makeKeyword(acme, { context: 'The keyword.' }),
      await makeKeyword(acme, { groupId: stored('grp', described.id) }),
      await makeKeyword(acme, { groupId: stored('grp', plain) }),
    ]
    // As they are scored from memory, and as they are read when they waited.
    const made = await store(world, [matchedBy(makePost(world), keywords)])
    for (const mentions of [made, await readUnscored(world.db, made)]) {
      const read = keywords
        .map(({ uuid }) => mentions.find(({ keywordId }) => keywordId === uuid))
        .map((mention) => [mention?.companyContext, mention?.keywordContext])
      expect(read).toEqual([
        ['The company.', 'The keyword.'],
        ['The group.', null],
        ['The company.', null],
      ])
    }
    const other = await world.workspace('Other')
    const [strange] = await store(world, [matchedBy(makePost(world), [await makeKeyword(other)])])
    expect(strange?.companyContext).toBeNull()
  })
})
