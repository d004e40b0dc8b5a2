import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeWallet } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

interface Outcome {
  index: number
  status: string
  keyword: { id: string; term: string } | null
  error: { code: string; message: string; existingId?: string; details?: object[] } | null
}

const batch = (keywords: object[], workspace = acme, more: object = {}) =>
  workspace.api('POST', '/v1/keywords/batch', { keywords, ...more })
const outcomes = async (keywords: object[], workspace = acme): Promise<Outcome[]> =>
  (await batch(keywords, workspace)).body.data
const terms = async (workspace = acme) =>
  (await workspace.api('GET', '/v1/keywords?sort=term')).body.data.map(({ term }: { term: string }) => term)

test('each keyword has its own outcome, and what is refused keeps nothing else from being made', async () => {
  const workspace = await world.workspace('Mixed')
  const { body: known } = await workspace.api('POST', '/v1/keywords', { term: 'known' })
  const group = await workspace.group('Other')
  const { status, body } = await batch(
    [
      { term: 'first', kind: 'topic', matching: { excludedTerms: ['no'] } },
      { term: 'Known' },
      { term: 'first' },
      { term: 'first', groupId: group },
      { term: 'nowhere', groupId: 'grp_01kg3w5z0yf8hbt2m7q4n9xc6d' },
      { term: 'no platforms', platforms: [] },
      { term: 'hidden', reviewSources: [{ url: 'https://maps.app.goo.gl/abcdef' }] },
      { term: 'last', muted: true, platforms: ['reddit'], cap: { mentions: 7 } },
    ],
    workspace,
  )
  expect([status, body.created, body.refused]).toEqual([200, 3, 5])
  const data = body.data as Outcome[]
  expect(data.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(data.map(({ keyword, error }) => keyword?.term ?? error!.code)).toEqual([
    'first',
    'duplicate_keyword',
    'duplicate_keyword',
    'first',
    'not_found',
    'validation_error',
    'validation_error',
    'last',
  ])
  expect([data[1]!.error!.existingId, data[2]!.error!.existingId]).toEqual([known.id, data[0]!.keyword!.id])
  expect(data[5]!.error!.details).toEqual([{ field: 'platforms', reason: expect.any(String) }])
  expect(data[6]!.error!.message).toMatch(/^reviewSources\.0\.url: is a short link/)
  expect((await workspace.api('GET', `/v1/keywords/${data[7]!.keyword!.id}`)).body).toEqual(data[7]!.keyword)
  expect(await terms(workspace)).toEqual(['first', 'first', 'known', 'last'])
})

test('a keyword of a batch is watched as one that was made alone', async () => {
  const workspace = await world.workspace('Same')
  const shared = {
    kind: 'competitor',
    context: 'A context.',
    matching: { requiredTerms: ['with'], excludedAuthors: ['Jane Doe'], caseSensitive: true },
  }
  const [made] = await outcomes([{ term: 'batched term', ...shared }], workspace)
  const { body: alone } = await workspace.api('POST', '/v1/keywords', { term: 'lonely term', ...shared })
  const { id: _, term: __, hints: ___, createdAt: ____, ...expected } = alone
  expect(made!.keyword).toMatchObject(expected)
  const asked = await world.db.query(sql`
    select term, count(*)::int as queries, bool_and(q.look_back) as looks_back from keyword k
      join keyword_query q on q.workspace_id = k.workspace_id and q.keyword_id = k.id
     where k.workspace_id = ${workspace.workspaceId} group by term order by term`)
  expect(asked).toEqual([
    { term: 'batched term', queries: expect.any(Number), looks_back: true },
    { term: 'lonely term', queries: (asked[0] as { queries: number }).queries, looks_back: true },
  ])
})

test('balance and limit are judged as if the keywords came one after the other', async () => {
  const poor = await world.workspace('Poor')
  await changeWallet(world, poor.workspaceId, { balanceUnits: 3 * 500 + 10 })
  const five = [{ term: 'aa' }, { term: 'bb' }, { term: 'cc', muted: true }, { term: 'dd' }, { term: 'ee' }]
  expect((await outcomes(five, poor)).map(({ status, error }) => error?.code ?? status)).toEqual([
    'created',
    'created',
    'created',
    'created',
    'insufficient_balance',
  ])

  const full = await world.workspace('Full')
  const many = (from: number) =>
    Array.from({ length: KEYWORD_LIMITS.batch }, (_, at) => ({ term: `term ${from + at}`, muted: true }))
  for (let from = 0; from < 400; from += 100) expect((await batch(many(from), full)).body.created).toBe(100)
  await batch([{ term: 'another', muted: true }], full)
  const last = await outcomes(many(400), full)
  expect(last.filter(({ status }) => status === 'created')).toHaveLength(99)
  expect(last[99]).toMatchObject({ status: 'refused', error: { code: 'keyword_limit_reached' } })
})

test('the same marked request has the same outcomes and makes nothing more', async () => {
  const workspace = await world.workspace('Again')
  const requestId = randomUUID()
  const first = await batch([{ term: 'once' }, { term: 'x'.repeat(3), platforms: [] }], workspace, { requestId })
  expect(
    (await batch([{ term: 'once' }, { term: 'x'.repeat(3), platforms: [] }], workspace, { requestId })).body,
  ).toEqual(first.body)
  expect((await batch([{ term: 'twice' }], workspace, { requestId })).body.error.code).toBe('request_conflict')
  expect(await terms(workspace)).toEqual(['once'])
})

test('batches of the same terms at once end, and make each term once', async () => {
  const acme = await world.workspace('Busy')
  const others = await Promise.all(['B', 'C'].map((name) => world.workspace(name)))
  const words = Array.from({ length: 30 }, (_, at) => ({ term: `shared ${at}`, muted: true }))
  const answers = await Promise.all(
    [acme, acme, ...others].map((workspace, at) => batch(at % 2 ? [...words].reverse() : words, workspace)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answers[0]!.body.created + answers[1]!.body.created).toBe(30)
  expect(answers.slice(2).map(({ body }) => body.created)).toEqual([30, 30])
})

test('a batch takes a number of statements that does not grow with it', async () => {
  const statements = async (count: number) => {
    const workspace = await world.workspace(`Counted ${count}`)
    const counting = countStatements()
    const { body } = await batch(
      Array.from({ length: count }, (_, at) => ({ term: `counted ${at}`, muted: true })),
      workspace,
    )
    expect(body.created).toBe(count)
    return counting.stop()
  }
  expect(await statements(40)).toBe(await statements(2))
})

test.each([[[]], [Array.from({ length: 101 }, () => ({ term: 'many' }))], [[{ term: 'good' }, { kind: 'brand' }]]])(
  'a body that is none is refused as a whole',
  async (keywords) => {
    const { body } = await batch(keywords)
    expect(body.error.code).toBe('validation_error')
    expect(await terms()).toEqual([])
  },
)

/** Counts the statements of transactions from here on. */
function countStatements(): { stop(): number } {
  const { transaction } = world.db
  let counted = 0
  world.db.transaction = (work) =>
    transaction((tx) =>
      work({
        ...tx,
        query: (statement) => {
          counted += 1
          return tx.query(statement)
        },
        run: (name, text, values) => {
          counted += 1
          return tx.run(name, text, values)
        },
      }),
    )
  return {
    stop() {
      world.db.transaction = transaction
      return counted
    },
  }
}
