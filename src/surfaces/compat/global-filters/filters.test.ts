import { describe, expect, test } from 'vitest'
import { useFreshWorkspace, useWorld } from '../../../../test/use-world.ts'
import { compatOf } from '../compat.suite.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const call: ReturnType<typeof compatOf>['call'] = (...args) => compatOf(acme).call(...args)
const EMPTY = {
  negativeKeywords: [],
  negativeAuthors: [],
  negativeSubreddits: [],
  positiveSubreddits: [],
  negativeRepos: [],
}

test('lists are replaced one by one', async () => {
  expect((await call('GET', '/filters/global')).body).toEqual(EMPTY)
  const lists = {
    negativeKeywords: ['Jobs', 'deploy*'],
    negativeSubreddits: ['r/Sales'],
    negativeRepos: ['Acme/Anvil'],
  }
  const after = {
    ...EMPTY,
    negativeKeywords: ['jobs', 'deploy*'],
    negativeSubreddits: ['sales'],
    negativeRepos: ['acme/anvil'],
  }
  expect((await call('PATCH', '/filters/global', lists)).body).toEqual(after)
  expect((await call('PATCH', '/filters/global', { negativeAuthors: ['https://x.com/Somebody'] })).body).toEqual({
    ...after,
    negativeAuthors: ['https://x.com/somebody'],
  })
  expect((await acme.api('GET', '/v1/filters')).body).toMatchObject({
    excludedTerms: ['jobs', 'deploy*'],
    subreddits: { excluded: ['sales'] },
  })
})

test('emptying a list needs allowEmpty, which is nothing by itself', async () => {
  await call('PATCH', '/filters/global', { negativeKeywords: ['jobs'] })
  const refused = await call('PATCH', '/filters/global', { negativeKeywords: [] })
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'negativeKeywords'])
  expect((await call('PATCH', '/filters/global', { negativeRepos: [] })).status).toBe(200)
  expect((await call('PATCH', '/filters/global', { negativeKeywords: [], allowEmpty: true })).body).toEqual(EMPTY)
  for (const body of [{ allowEmpty: true }, {}, { nonsense: [] }, { negativeKeywords: ['x'.repeat(201)] }])
    expect((await call('PATCH', '/filters/global', body)).status).toBe(400)
  const wrong = await call('PATCH', '/filters/global', { negativeRepos: ['fine/repo', 'no repository'] })
  expect(wrong.body.error.details[0].path).toBe('negativeRepos')
})

describe('§7 add/remove', () => {
  const add = (list: string, values: string[]) => call('POST', '/filters/global/add', { list, values })
  const remove = (list: string, values: string[], more: object = {}) =>
    call('POST', '/filters/global/remove', { list, values, ...more })

  test('tell what they did', async () => {
    expect((await add('negativeKeywords', ['Jobs', 'hiring'])).body).toEqual({
      list: 'negativeKeywords',
      added: ['jobs', 'hiring'],
      dropped: [],
      values: ['jobs', 'hiring'],
    })
    expect((await add('negativeKeywords', ['JOBS', 'sales'])).body).toMatchObject({ added: ['sales'], dropped: [] })
    expect((await remove('negativeKeywords', ['Jobs', 'nothing'])).body).toEqual({
      list: 'negativeKeywords',
      removed: ['jobs'],
      values: ['hiring', 'sales'],
    })
    const refused = await remove('negativeKeywords', ['hiring', 'sales'])
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'values'])
    expect((await remove('negativeKeywords', ['hiring', 'sales'], { allowEmpty: true })).body.values).toEqual([])
  })

  test('a subreddit of the opposite list is dropped', async () => {
    await add('positiveSubreddits', ['r/selfhosted'])
    expect((await add('negativeSubreddits', ['SelfHosted', 'sales'])).body).toEqual({
      list: 'negativeSubreddits',
      added: ['sales'],
      dropped: ['selfhosted'],
      values: ['sales'],
    })
    expect((await add('positiveSubreddits', ['sales', 'selfhosted'])).body).toMatchObject({
      added: [],
      dropped: ['sales'],
    })
  })

  test('adds at the same time all land', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, place) => add('negativeRepos', [`acme/repo${place}`])))
    expect((await call('GET', '/filters/global')).body.negativeRepos).toHaveLength(12)
  })

  test.each([
    [{ list: 'excludedTerms', values: ['x'] }, 'list'],
    [{ list: 'negativeKeywords', values: [] }, 'values'],
    [{ list: 'negativeKeywords' }, 'values'],
    [{ list: 'negativeRepos', values: ['no repository'] }, 'values'],
  ])('%j is wrong in %s', async (body, path) => {
    const answer = await call('POST', '/filters/global/add', body)
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path])
  })
})
