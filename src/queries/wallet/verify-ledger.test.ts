import { beforeAll, describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { makeKeywordDay } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { deleteKeyword } from '../../commands/keywords/delete-keyword.ts'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import { creditWallet } from '../../commands/wallet/credit-wallet.ts'
import { runDay } from '../../commands/wallet/daily-run.ts'
import { setBalance } from '../../commands/wallet/wallet-setting.suite.ts'
import { units } from '../../kernel/money.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { book } from '../../store/wallet/ledger.ts'
import { type Difference, LEDGER_CHECKS, verifyLedger } from './verify-ledger.ts'

let cast: Record<'first' | 'second' | 'gone', TestKeyword>

const [DAY_1, DAY_2, DAY_3] = ['2026-11-20', '2026-11-21', '2026-11-22']

/**
 * Three days of two workspaces with everything that costs and everything that does not. The last day is not settled.
 */
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const other = await world.workspace('Other')
  cast = {
    first: await makeKeyword(acme, { term: 'first' }),
    second: await makeKeyword(acme, { term: 'second' }),
    gone: await makeKeyword(acme, { term: 'gone' }),
  }
  const beside = await makeKeyword(other)
  await topUp(60_000)
  await matches(cast.first, 2, 'scored')
  await matches(cast.first, 1, 'failed')
  await matches(cast.first, 1, 'free')
  await matches(cast.gone, 2, 'scored')
  await matches(beside, 3, 'scored')
  await dayBegins(DAY_2)
  accepted((await deleteKeyword(acme, cast.gone.uuid)) ?? {})
  await matches(cast.first, 2, 'scored')
  const late = await matches(cast.second, 1, 'waiting')
  const removed = await matches(cast.second, 1, 'scored')
  await world.db.transaction(async (tx) => {
    const [row] = await tx.query<{ post_id: never }>(
      sql`select post_id from mention where id = ${removed[0]!.mentionId}`,
    )
    await removePosts(tx, [row!.post_id], world.clock.now())
  })
  await dayBegins(DAY_3)
  await score(world, late, {}, { at: new Date(`${DAY_2}T23:59:59Z`) })
  await matches(cast.second, 1, 'scored')
  await matches(cast.first, 1, 'scored')
  await matches(cast.first, 1, 'waiting')
  await setBalance(world, other, -30)
})

function topUp(amount: number) {
  const given = {
    workspaceId: acme.workspaceId,
    kind: 'topup' as const,
    amount: units(amount),
    key: 'payment pi_1',
    note: null,
  }
  return world.db.transaction((tx) => creditWallet(tx, world.services, given))
}

async function dayBegins(day: string): Promise<void> {
  world.clock.set(new Date(`${day}T00:05:00Z`))
  expect(await runDay(world.services)).toBe(2)
  world.clock.set(new Date(`${day}T12:00:00Z`))
}

async function matches(keyword: TestKeyword, count: number, what: 'scored' | 'failed' | 'free' | 'waiting') {
  const matched = Array.from({ length: count }, () => matchedBy(makePost(world), [keyword]))
  const made = await store(
    world,
    what === 'free'
      ? matched.map((post) => ({ ...post, keywords: post.keywords.map((wanting) => ({ ...wanting, free: true })) }))
      : matched,
  )
  if (what !== 'waiting') await score(world, made, what === 'failed' ? null : {})
  return made
}

class Undone extends Error {}

/** What is found after something was done to the books, which is undone again. */
async function differencesAfter(
  damage: (tx: Transaction) => Promise<unknown>,
  options = { metered: true },
): Promise<Difference[]> {
  let found: Difference[] = []
  const trial = world.db.transaction(async (tx) => {
    // As somebody with all rights can, past the triggers that keep the ledger.
    for (const table of ['ledger_entry', 'ledger_posting'])
      await tx.query(sql.raw(`alter table ${table} disable trigger user`))
    await tx.query(sql`alter table ledger_posting drop constraint ledger_posting_workspace_id_entry_id_fkey`)
    await damage(tx)
    found = (await verifyLedger(tx, options)).differences
    throw new Undone()
  })
  await expect(trial).rejects.toThrow(Undone)
  return found
}

/** The check, the day and the keyword of a difference, and by how much it is off. */
function shortly({ check, day, keyword, expected, found }: Difference): string {
  return [check, day, keyword?.term, found - expected].filter((part) => part !== null && part !== undefined).join(' ')
}

const entry = (kind: string, day: string | null) =>
  sql`select id from ledger_entry where workspace_id = ${acme.workspaceId} and kind = ${kind} and day is not distinct
      from ${day}::date`
const usage = (keyword: TestKeyword, day: string) =>
  sql`workspace_id = ${acme.workspaceId} and keyword_id = ${keyword.uuid} and day = ${day}::date`

interface Damage {
  name: string
  do(tx: Transaction): Promise<unknown>
  found: string[]
}

const DAMAGES: Damage[] = [
  {
    name: 'a balance that was moved without an entry',
    do: (tx) => tx.query(sql`update workspace set balance_units = balance_units + 1 where id = ${acme.workspaceId}`),
    found: ['balance 1', 'chain 2026-11-22 1'],
  },
  {
    name: 'a keyword-day that was booked twice',
    do: (tx) =>
      book(tx, {
        workspaceId: acme.workspaceId,
        kind: 'debit_keyword_days',
        amount: units(-500),
        key: 'keyword_days again',
        day: DAY_2,
        units: 1,
        at: world.clock.now(),
      }),
    found: ['keyword-days 2026-11-21 -500', 'keyword-day-count 2026-11-21 1'],
  },
  {
    name: 'an entry whose amount was changed',
    do: (tx) =>
      tx.query(
        sql`update ledger_entry set amount_units = amount_units - 7 where id = (${entry('debit_keyword_days', DAY_3)})`,
      ),
    found: [
      'balance 7',
      'postings 2026-11-22 7',
      'postings 2026-11-22 -7',
      'chain 2026-11-21 1',
      'chain 2026-11-22 -1',
      'keyword-days 2026-11-22 -7',
    ],
  },
  {
    name: 'an entry that was removed',
    do: (tx) => tx.query(sql`delete from ledger_entry where id = (${entry('debit_mentions', DAY_1)})`),
    found: [
      'balance -96',
      'postings 96',
      'postings -96',
      'chain 2026-11-21 -1',
      'chain 1',
      'mentions 2026-11-20 96',
      'mention-count 2026-11-20 -4',
    ],
  },
  {
    name: 'a posting to another account',
    do: (tx) =>
      tx.query(
        sql`update ledger_posting set account = 'credit'
            where account = 'payment' and workspace_id = ${acme.workspaceId}`,
      ),
    found: ['postings -60000', 'postings 60000'],
  },
  {
    name: 'a posting of another amount',
    do: (tx) =>
      tx.query(
        sql`update ledger_posting set amount_units = amount_units + 5
            where account = 'wallet' and entry_id = (${entry('topup', null)})`,
      ),
    found: ['postings 5'],
  },
  {
    name: 'a posting that is missing',
    do: (tx) =>
      tx.query(sql`delete from ledger_posting where account = 'wallet' and entry_id = (${entry('topup', null)})`),
    found: ['postings -60000'],
  },
  {
    name: 'a balance of an entry that was changed',
    do: (tx) =>
      tx.query(sql`update ledger_entry set balance_units = balance_units + 1 where id = (${entry('topup', null)})`),
    found: ['chain 2026-11-20 -1', 'chain 1', 'chain -1', 'chain 1'],
  },
  {
    name: 'a credit that takes',
    do: (tx) =>
      tx.query(sql`update ledger_entry set amount_units = -amount_units where id = (${entry('topup', null)})`),
    found: ['balance 120000', 'postings -120000', 'postings 120000', 'chain 1', 'chain -1', 'sign -120000'],
  },
  {
    name: 'a charged day of a keyword that was removed',
    do: (tx) => tx.query(sql`delete from keyword_day where ${usage(cast.second, DAY_3)}`),
    found: ['keyword-days 2026-11-22 -500', 'keyword-day-count 2026-11-22 1'],
  },
  {
    name: 'a charged day at another price',
    do: (tx) => tx.query(sql`update keyword_day set units = 499 where ${usage(cast.second, DAY_3)}`),
    found: ['keyword-days 2026-11-22 -1', 'keyword-day-price 2026-11-22 second -1'],
  },
  {
    name: 'a charged day before the keyword was made',
    do: (tx) => makeKeywordDay({ db: tx }, acme.workspaceId, cast.first.uuid, '2026-11-19'),
    found: ['keyword-days 2026-11-19 500', 'keyword-day-count 2026-11-19 -1', 'keyword-day-owner 2026-11-19 first 500'],
  },
  {
    name: 'a charged day after the keyword was deleted',
    do: (tx) => makeKeywordDay({ db: tx }, acme.workspaceId, cast.gone.uuid, DAY_3),
    found: ['keyword-days 2026-11-22 500', 'keyword-day-count 2026-11-22 -1', 'keyword-day-owner 2026-11-22 gone 500'],
  },
  {
    name: 'a charged day whose run did not take place',
    do: (tx) => makeKeywordDay({ db: tx }, acme.workspaceId, cast.first.uuid, '2026-11-23'),
    found: ['keyword-days 2026-11-23 500', 'keyword-day-count 2026-11-23 -1', 'keyword-day-settled 2026-11-23 500'],
  },
  {
    name: 'a day that was not settled although it was booked',
    do: (tx) =>
      tx.query(sql`update workspace set settled_through = settled_through - 1 where id = ${acme.workspaceId}`),
    found: ['keyword-day-settled 2026-11-22 1000', 'mentions 2026-11-21 -72', 'mention-count 2026-11-21 3'],
  },
  {
    name: 'a mention that was charged twice on a settled day',
    do: (tx) =>
      tx.query(
        sql`update usage_day set scored = scored + 1, billable = billable + 1, mention_units = mention_units + 24
            where ${usage(cast.first, DAY_1)}`,
      ),
    found: ['mentions 2026-11-20 24', 'mention-count 2026-11-20 -1', 'billed-twice first 1'],
  },
  {
    name: 'a mention that was charged twice today',
    do: (tx) =>
      tx.query(
        sql`update usage_day set scored = scored + 1, billable = billable + 1, mention_units = mention_units + 24
            where ${usage(cast.second, DAY_3)}`,
      ),
    found: ['billed-twice second 1'],
  },
  {
    name: 'a mention that was billed without a score',
    do: (tx) =>
      tx.query(
        sql`update usage_day set billable = billable + 1, mention_units = mention_units + 24
            where ${usage(cast.first, DAY_3)}`,
      ),
    found: ['billed-unscored 2026-11-22 first 1', 'billed-twice first 1'],
  },
  {
    name: 'a mention above the list price',
    do: (tx) =>
      tx.query(sql`update usage_day set mention_units = mention_units + 1 where ${usage(cast.second, DAY_3)}`),
    found: ['mention-overcharged 2026-11-22 second 1'],
  },
  {
    name: 'a mention that was billed and not charged',
    do: (tx) =>
      tx.query(sql`update usage_day set mention_units = mention_units - 24 where ${usage(cast.second, DAY_3)}`),
    found: ['mention-undercharged 2026-11-22 second -24'],
  },
  {
    name: 'a scored mention that was not billed',
    do: (tx) =>
      tx.query(
        sql`update usage_day set billable = billable - 1, mention_units = mention_units - 24
            where ${usage(cast.first, DAY_3)}`,
      ),
    found: ['not-billed 2026-11-22 first -1'],
  },
  {
    name: 'mentions that were debited before their day was over',
    do: (tx) =>
      book(tx, {
        workspaceId: acme.workspaceId,
        kind: 'debit_mentions',
        amount: units(-48),
        key: 'mentions early',
        day: DAY_3,
        units: 2,
        at: world.clock.now(),
      }),
    found: ['mentions 2026-11-22 -48', 'mention-count 2026-11-22 2'],
  },
]

describe('the books', () => {
  test('are in order after three days with everything that costs', async () => {
    const { workspaces, entries, differences } = await verifyLedger(world.db, { metered: true })
    expect(differences).toEqual([])
    const [counted] = await world.db.query<{ entries: number }>(sql`select count(*) as entries from ledger_entry`)
    expect({ workspaces, entries }).toEqual({ workspaces: 2, entries: counted!.entries })
  })

  test.each(DAMAGES)('are not after $name', async ({ do: damage, found }) => {
    const differences = await differencesAfter(damage)
    expect(new Set(differences.map(({ workspace }) => `${workspace.name} ${workspace.id}`))).toEqual(
      new Set([`Acme ${acme.workspaceId}`]),
    )
    expect(differences.map(shortly).sort()).toEqual([...found].sort())
  })

  test('are looked at in every way that is told of', () => {
    expect(new Set(DAMAGES.flatMap(({ found }) => found.map((text) => text.split(' ')[0])))).toEqual(
      new Set<string | undefined>(LEDGER_CHECKS),
    )
  })

  test('may have days on which nothing was charged, as those of an unmetered installation', async () => {
    expect(
      await differencesAfter((tx) =>
        tx.query(
          sql`update usage_day set mention_units = 0 where day = ${DAY_3} and workspace_id = ${acme.workspaceId}`,
        ),
      ),
    ).toEqual([])
    const partly = (tx: Transaction) =>
      tx.query(sql`update usage_day set mention_units = 0 where ${usage(cast.second, DAY_3)}`)
    expect((await differencesAfter(partly)).map(shortly)).toEqual(['mention-undercharged 2026-11-22 second -48'])
    expect(await differencesAfter(partly, { metered: false })).toEqual([])
  })

  test('are looked at of every workspace, however many there are', async () => {
    const found = await differencesAfter((tx) =>
      tx.query(sql`insert into workspace (id, name, created_at, balance_units, settled_through)
        select gen_random_uuid(), 'Many ' || n, now(), case when n % 100 = 0 then 30 else 0 end, ${DAY_2}
          from generate_series(1, 300) n`),
    )
    expect(
      found
        .filter(({ check }) => check === 'balance')
        .map(({ workspace }) => workspace.name)
        .sort(),
    ).toEqual(['Many 100', 'Many 200', 'Many 300'])
  })

  test('tell entry, keyword and workspace by their ids', async () => {
    const [first] = await differencesAfter((tx) =>
      tx.query(sql`update keyword_day set units = 499 where ${usage(cast.second, DAY_3)}`),
    )
    expect(first).toMatchObject({
      check: 'keyword-days',
      workspace: { id: acme.workspaceId },
      keyword: null,
      entryId: null,
      expected: -999,
      found: -1000,
    })
    const [posting] = await differencesAfter((tx) =>
      tx.query(sql`delete from ledger_posting where account = 'wallet' and entry_id = (${entry('topup', null)})`),
    )
    const [topped] = await world.db.query<{ id: string }>(sql`${entry('topup', null)}`)
    expect(posting).toMatchObject({ check: 'postings', entryId: topped!.id, expected: 60_000, found: 0 })
  })
})
