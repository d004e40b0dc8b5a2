import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { stored, type TestWorkspace } from '../../../test/world.ts'
import { runDay } from '../../commands/wallet/daily-run.ts'
import { grantCredit } from '../../commands/wallet/grant-credit.ts'
import { nextRun } from '../../commands/wallet/wallet-setting.suite.ts'
import type { LedgerKind } from '../../domain/wallet/ledger.ts'
import { dayOf, HOUR_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, newUuid } from '../../kernel/ids.ts'
import { units } from '../../kernel/money.ts'
import { cursorText } from '../../queries/cursor.ts'
import type { LedgerLine } from '../../queries/wallet/list-ledger.ts'
import { sql } from '../../store/database.ts'
import { book, bookAll } from '../../store/wallet/ledger.ts'

let keys = 0
const world = useWorld()

function entry({ workspaceId }: TestWorkspace, amount: number, kind: LedgerKind = 'adjustment', note?: string) {
  keys += 1
  return {
    workspaceId,
    kind,
    amount: units(amount),
    key: `test ${keys}`,
    at: world.clock.now(),
    ...(note === undefined ? {} : { note }),
  }
}

const move = (workspace: TestWorkspace, amount: number, kind?: LedgerKind, note?: string) =>
  world.db.transaction((tx) => book(tx, entry(workspace, amount, kind, note)))
const list = (workspace: TestWorkspace, query = '') =>
  workspace.api('GET', `/v1/billing/ledger${query}`, undefined, { key: workspace.readKey })

/** Every line, page by page, with something done after each page. */
async function readAll(
  workspace: TestWorkspace,
  limit: number,
  between: () => Promise<unknown> = async () => undefined,
): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = []
  for (let query = `?limit=${limit}`; ; ) {
    const { status, body } = await list(workspace, query)
    expect(status).toBe(200)
    expect(body.data.length).toBeLessThanOrEqual(limit)
    lines.push(...body.data)
    if (body.nextCursor === null) return lines
    query = `?limit=${limit}&cursor=${body.nextCursor}`
    await between()
  }
}

/** In whole cents only: then nothing is rounded, and each balance is that below it and the line itself. */
function expectChain(lines: readonly LedgerLine[]): void {
  const steps = lines.map((line, at) => [
    line.id,
    line.balanceCents - line.amountCents,
    lines[at + 1]?.balanceCents ?? 0,
  ])
  expect(steps.map(([id, before]) => [id, before])).toEqual(steps.map(([id, , below]) => [id, below]))
}

test('what moved the balance is told with its reason, the last first', async () => {
  const workspace = await world.workspace('Told')
  const beganAt = world.clock.now().toISOString()
  const keyword = await makeKeyword(workspace)
  await score(world, [await mention(world, keyword), await mention(world, keyword), await mention(world, keyword)])
  const scoredOn = dayOf(world.clock.now())
  await grantCredit(workspace, 2000)
  const grantedAt = world.clock.now().toISOString()
  const day = nextRun(world)
  await runDay(world.services)
  const ranAt = world.clock.now().toISOString()
  await move(workspace, -600, 'refund', `re_1 ${'🦊'.repeat(300)}`)
  const { status, body } = await list(workspace)
  expect(status).toBe(200)
  const id = expect.stringMatching(/^led_[0-9a-z]{26}$/)
  const plain = { id, day: null, units: null, note: null }
  expect(body).toEqual({
    data: [
      {
        ...plain,
        kind: 'refund',
        amountCents: -20,
        balanceCents: 2541,
        note: `re_1 ${'🦊'.repeat(194)}…`,
        createdAt: ranAt,
      },
      // 500 units are 16.67 cents and 72 are 2.4: each line is rounded once, so they need not add up.
      { ...plain, kind: 'debit_keyword_days', amountCents: -17, balanceCents: 2561, day, units: 1, createdAt: ranAt },
      {
        ...plain,
        kind: 'debit_mentions',
        amountCents: -2,
        balanceCents: 2578,
        day: scoredOn,
        units: 3,
        createdAt: ranAt,
      },
      {
        ...plain,
        kind: 'grant',
        amountCents: 2000,
        balanceCents: 2580,
        note: 'granted by the operator',
        createdAt: grantedAt,
      },
      { ...plain, kind: 'signup_credit', amountCents: 580, balanceCents: 580, createdAt: beganAt },
    ],
    nextCursor: null,
  })
})

const SEED = Math.trunc(Math.random() * 2 ** 31)

test('every line is read once in the order of booking, whatever the size of pages and whatever is booked meanwhile', async () => {
  const pages = fc.record({
    count: fc.nat({ max: 12 }),
    limit: fc.integer({ min: 1, max: 7 }),
    together: fc.integer({ min: 1, max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(pages, async ({ count, limit, together }) => {
      const workspace = await world.workspace('Paged')
      for (let left = count; left > 0; left -= together) {
        const entries = Array.from({ length: Math.min(left, together) }, (_, at) =>
          entry(workspace, (at % 2 === 0 ? 30 : -60) * (left + 1)),
        )
        await world.db.transaction((tx) => bookAll(tx, entries))
      }
      const before = await readAll(workspace, 100)
      expect(before).toHaveLength(count + 1)
      expectChain(before)
      expect(await readAll(workspace, limit, () => move(workspace, 30))).toEqual(before)
    }),
    { numRuns: 15, seed: SEED },
  )
}, 120_000)

test('entries booked by many at once stand in the order in which they moved the balance', async () => {
  const workspace = await world.workspace('Crowded')
  await Promise.all(Array.from({ length: 12 }, (_, at) => move(workspace, (at + 1) * 30)))
  expectChain(await readAll(workspace, 5))
})

test('so do those of a process that began earlier and had to wait, although their time and id are older', async () => {
  const workspace = await world.workspace('Waited')
  await move(workspace, 3000, 'topup')
  // Made by hand, because within one process ids only ever grow.
  const at = plus(world.clock.now(), -HOUR_MS)
  const id = (firstUuidAt(at).slice(0, -12) + newUuid(at).slice(-12)) as ReturnType<typeof newUuid>
  await world.db.query(sql`
    insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, key, created_at)
    values (${workspace.workspaceId}, ${id}, 'refund', -300, 20100, 'waited', ${at})`)
  for (const limit of [1, 2, 25]) {
    const lines = await readAll(workspace, limit)
    expect(lines.map(({ kind }) => kind)).toEqual(['refund', 'topup', 'signup_credit'])
    expectChain(lines)
  }
})

test('nothing of another workspace is told, and its entries are no place to read on from', async () => {
  const [mine, other] = [await world.workspace('Mine'), await world.workspace('Other')]
  await move(other, 300)
  const { body } = await list(mine)
  expect(body.data.map(({ kind }: LedgerLine) => kind)).toEqual(['signup_credit'])
  const [foreign] = (await list(other)).body.data
  const cursor = cursorText('ledger', stored('led', foreign.id))
  expect((await list(other, `?cursor=${cursor}`)).status).toBe(200)
  const refused = await list(mine, `?cursor=${cursor}`)
  expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found'])
})

test('owners and admins read it, members do not, but everybody reads the wallet', async () => {
  const workspace = await world.workspace('Roles')
  const seen: unknown[] = []
  for (const role of ['owner', 'admin', 'member'] as const) {
    const { token } = await createPerson(world.services, workspace.workspaceId, role, { scope: 'read' })
    const statusOf = async (path: string) => (await workspace.api('GET', path, undefined, { key: token })).status
    seen.push([role, await statusOf('/v1/billing/ledger'), await statusOf('/v1/billing/wallet')])
  }
  expect(seen).toEqual([
    ['owner', 200, 200],
    ['admin', 200, 200],
    ['member', 403, 200],
  ])
})

test('a cursor that was made up, or for another list, is refused', async () => {
  const workspace = await world.workspace('Made up')
  const id = stored('led', (await list(workspace)).body.data[0].id)
  for (const cursor of ['', 'nonsense', 'x'.repeat(2000), cursorText('newest', id), cursorText('deliveries', id)]) {
    const { status, body } = await list(workspace, `?cursor=${cursor}`)
    expect([cursor, status, body.error.code]).toEqual([cursor, 400, 'invalid_cursor'])
  }
})

test.each([
  ['?limit=0', 'limit: must be at least 1'],
  ['?limit=101', 'limit: must be at most 100'],
  ['?note=gift', 'note: is not a parameter of this operation'],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await list(await world.workspace('Refused'), query)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})

test('lines are found by kind, and by the day that they pay for or were booked on', async () => {
  const workspace = await world.workspace('Searched')
  const keyword = await makeKeyword(workspace)
  await move(workspace, 90_000, 'grant')
  await score(world, [await mention(world, keyword)])
  const scoredOn = dayOf(world.clock.now())
  const ranOn = nextRun(world)
  await runDay(world.services)
  const days = async (query: string) => {
    const { status, body } = await list(workspace, `?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.map(({ kind, day, createdAt }: LedgerLine) => [kind, day ?? createdAt.slice(0, 10)])
  }
  const all = await days('')
  const paid = all.filter(([kind]: string[]) => kind!.startsWith('debit'))
  expect(new Set(all.map(([kind]: string[]) => kind))).toEqual(
    new Set(['debit_keyword_days', 'debit_mentions', 'grant', 'signup_credit']),
  )
  expect(await days('kind=debit_mentions,debit_keyword_days')).toEqual(paid)
  expect(await days('kind=grant&kind=topup')).toEqual([['grant', scoredOn]])
  expect(await days(`day=${scoredOn}`)).toEqual(all.filter(([, day]: string[]) => day === scoredOn))
  expect(await days(`day=${scoredOn}&kind=debit_mentions`)).toEqual([['debit_mentions', scoredOn]])
  expect(await days(`from=${ranOn}`)).toEqual(all.filter(([, day]: string[]) => day! >= ranOn))
  expect(await days(`to=${scoredOn}`)).toEqual(all.filter(([, day]: string[]) => day! <= scoredOn))
  expect(await days(`from=${scoredOn}&to=${ranOn}`)).toEqual(all)
})

test.each([
  ['kind=gift', 'kind: must be one of signup_credit,'],
  ['day=2026-02-30', 'day: must be a day, such as 2026-11-20'],
  ['from=2026-11-02&to=2026-11-01', 'to: must not be before from'],
  ['day=2026-11-02&from=2026-11-01', 'day: cannot be combined with from or to'],
])('%s is refused', async (query, message) => {
  const { status, body } = await list(await world.workspace('Refused'), `?${query}`)
  expect(status).toBe(400)
  expect(body.error.message).toContain(message)
})
