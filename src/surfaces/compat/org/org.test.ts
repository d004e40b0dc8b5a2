import { describe, expect, test } from 'vitest'
import { createPerson } from '../../../../test/people.ts'
import { changeWallet } from '../../../../test/rows.ts'
import { useFreshWorkspace, useWorld } from '../../../../test/use-world.ts'
import { compatOf, makeKeyword, makeMention, type Row, sourceId } from '../compat.suite.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const call: ReturnType<typeof compatOf>['call'] = (...args) => compatOf(acme).call(...args)

describe('Rows of section 2 marked ?', () => {
  test('/org tells of the workspace and renames it', async () => {
    const { body } = await call('GET', '/org')
    expect(body).toMatchObject({
      organizationId: acme.orgId,
      name: 'Acme',
      plan: 'prepaid',
      isAnnualPlan: false,
      platforms: 'all',
      freeTrialExpired: false,
    })
    expect((await call('PATCH', '/org', { name: 'Renamed' })).body).toEqual({ ...body, name: 'Renamed' })
    expect((await acme.api('GET', '/v1/whoami')).body.workspace.name).toBe('Renamed')
    expect((await call('PATCH', '/org', { platforms: ['reddit'] })).status).toBe(501)
    expect((await call('PATCH', '/org', {})).status).toBe(400)
  })

  test('members and invitations are listed, and nobody is invited or removed', async () => {
    const owner = await createPerson(world.services, acme.workspaceId, 'owner')
    await createPerson(world.services, acme.workspaceId, 'member')
    const { body } = await call('GET', '/org/members')
    expect(body.data.map(({ role }: Row) => role)).toEqual(['admin', 'member'])
    expect(body.data[0]).toMatchObject({ email: owner.email, firstName: 'Person', lastName: 'who is owner' })
    await acme.api(
      'POST',
      '/v1/members/invitations',
      { email: 'new@people.example', role: 'member' },
      { key: owner.token },
    )
    const invitations = await call('GET', '/org/members/invitations')
    expect(invitations.body.data).toEqual([
      {
        id: expect.stringMatching(/^inv_/),
        email: 'new@people.example',
        role: 'member',
        createdAt: expect.any(String),
      },
    ])
    for (const key of [acme.writeKey, owner.token])
      for (const [method, path] of [
        ['POST', '/org/members/invite'],
        ['DELETE', `/org/members/${body.data[1].id}`],
      ] as const) {
        const refused = await call(method, path, method === 'POST' ? { email: 'x@people.example' } : undefined, { key })
        expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
      }
  })

  test.each(['/org/upgrade-link', '/integrations/slack', '/integrations/slack/channels', '/attention', '/docs'])(
    '%s is off',
    async (path) => {
      const answer = await call(path === '/org/upgrade-link' ? 'POST' : 'GET', path)
      expect([answer.status, answer.body.error.code]).toEqual([501, 'FEATURE_DISABLED'])
    },
  )

  test('/tags lists what mentions can have', async () => {
    const { body } = await call('GET', '/tags')
    expect(body.data).toEqual([...body.data].sort())
    expect(body.data).toContain('buy_intent')
  })
})

describe('§8 company', () => {
  test('fields go in and out', async () => {
    const before = (await call('GET', '/org/company')).body
    expect(before).toMatchObject({
      id: expect.any(Number),
      name: '',
      relevanceContext: null,
      competitors: null,
      productUseCases: null,
      twitter: null,
    })
    const body = {
      name: 'Acme',
      description: 'Makes anvils.',
      productUseCases: 'dropping, forging',
      competitors: JSON.stringify([{ name: 'Bolt', description: 'not kept' }, { name: 'Nut' }]),
      relevanceGuidelines: 'Anvils only.',
      twitter: '@acme',
      linkedin: 'acme-inc',
    }
    const { body: after } = await call('PATCH', '/org/company', body)
    expect(after).toMatchObject({
      ...body,
      competitors: '[{"name":"Bolt"},{"name":"Nut"}]',
      twitter: 'acme',
      relevanceContext: null,
      id: before.id,
    })
    expect((await acme.api('GET', '/v1/company')).body).toMatchObject({
      useCases: ['dropping', 'forging'],
      competitors: ['Bolt', 'Nut'],
      accounts: { x: 'https://x.com/acme', linkedin: 'https://www.linkedin.com/company/acme-inc' },
      guidelines: 'Anvils only.',
    })
    expect((await call('PATCH', '/org/company', { twitter: after.twitter, linkedin: after.linkedin })).body).toEqual(
      after,
    )
  })

  test('an own context is shown and kept, however long', async () => {
    const context = 'x'.repeat(1000)
    await acme.api('PATCH', '/v1/company', { context })
    expect((await call('PATCH', '/org/company', { name: 'Acme' })).body.relevanceContext).toBe(context)
    expect(
      (await call('PATCH', '/org/company', { relevanceContext: 'x'.repeat(401) })).body.error.details[0].path,
    ).toBe('relevanceContext')
    expect((await call('PATCH', '/org/company', { relevanceContext: 'Own.' })).body.relevanceContext).toBe('Own.')
    expect((await call('PATCH', '/org/company', { relevanceContext: null })).body.relevanceContext).toBeNull()
  })

  test.each(['domain', 'website', 'logo', 'industry', 'sector', 'tags', 'companyMoat', 'classificationGuidelines'])(
    '%s is null, and a change of it changes nothing',
    async (field) => {
      expect((await call('GET', '/org/company')).body[field]).toBeNull()
      const refused = await call('PATCH', '/org/company', { name: 'Other', [field]: 'x' })
      expect([refused.status, refused.body.error.code]).toEqual([501, 'FEATURE_DISABLED'])
      expect((await call('GET', '/org/company')).body.name).toBe('')
    },
  )

  test.each([
    [{ nonsense: 1 }, 'nonsense'],
    [{ competitors: 'Bolt, Nut' }, 'competitors'],
    [{ competitors: '[{"title":"Bolt"}]' }, 'competitors'],
    [{ twitter: 'not a handle at all' }, 'twitter'],
    [{ productUseCases: 'x'.repeat(201) }, 'productUseCases'],
    [{}, 'body'],
  ])('%j is wrong in %s', async (body, path) => {
    const answer = await call('PATCH', '/org/company', body)
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path])
  })
})

test('§10 usage', async () => {
  await makeMention(world, await makeKeyword(acme))
  await makeKeyword(acme)
  await changeWallet(world, acme.workspaceId, { balanceUnits: 1000 })
  const { body } = await call('GET', '/org/usage')
  // 1000 units less one pending mention of 24, in mentions of 24.
  expect(body).toEqual({
    plan: 'prepaid',
    mentions: {
      count: 1,
      limit: 1 + Math.floor((1000 - 24) / 24),
      resetAt: expect.stringMatching(/-01T00:00:00\.000Z$/),
    },
    keywords: { count: 2, limit: 500 },
  })
  await changeWallet(world, acme.workspaceId, { balanceUnits: -1000 })
  expect((await call('GET', '/org/usage')).body.mentions.limit).toBe(1)
})

describe('§8 feedback', () => {
  test('is a verdict, is taken away, and is counted while it is in force', async () => {
    const keyword = await makeKeyword(acme)
    const [first, second] = [await makeMention(world, keyword), await makeMention(world, keyword)]
    const [row] = await compatOf(acme).list({ filters: {} })
    const send = (made: typeof first, feedbackType: string, more: object = {}) =>
      call('POST', '/feedback', { sourceId: sourceId(made), feedbackType, ...more })
    const answer = await send(first, 'RELEVANT', {
      keywordId: row.keywordId,
      postId: row.id,
      timestamp: row.timestamp,
      source: row.source,
      feedbackReason: 'x',
    })
    expect([answer.status, answer.body]).toEqual([
      201,
      expect.objectContaining({ sourceId: sourceId(first), relevance: 'relevant', relevanceScore: 0 }),
    ])
    expect((await send(second, 'NOT_RELEVANT')).body).toMatchObject({ relevance: 'not_relevant', relevanceScore: 2 })
    const stats = async (query = '') => (await call('GET', `/feedback/stats${query}`)).body
    expect(await stats()).toEqual({ totalFeedback: 2, relevantCount: 1, notRelevantCount: 1, falsePositiveRate: 0.5 })
    expect(await stats(`?keywordId=${row.keywordId}`)).toMatchObject({ totalFeedback: 2 })
    expect((await call('DELETE', '/feedback', { sourceId: sourceId(second) })).body).toEqual({ success: true })
    expect(await stats()).toEqual({ totalFeedback: 1, relevantCount: 1, notRelevantCount: 0, falsePositiveRate: 0 })
    const other = await send(first, 'RELEVANT', { keywordId: row.keywordId + 1000 })
    expect([other.status, other.body.error.details[0].path]).toEqual([400, 'keywordId'])
    expect((await call('GET', '/feedback/stats?keywordId=99999')).body.error.code).toBe('KEYWORD_NOT_FOUND')
    expect((await call('POST', '/feedback', { sourceId: 'mm_none', feedbackType: 'RELEVANT' })).body.error.code).toBe(
      'POST_NOT_FOUND',
    )
  })
})
