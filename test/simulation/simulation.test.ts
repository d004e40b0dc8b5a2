import { expect, test } from 'vitest'
import { units } from '../../src/kernel/money.ts'
import { sql, type Transaction } from '../../src/store/database.ts'
import { book } from '../../src/store/wallet/ledger.ts'
import { lengthOf } from '../length.ts'
import { simulate } from './simulate.ts'

const MINUTE_MS = 60_000
const OPERATIONS = lengthOf('SIMULATION_OPERATIONS', { usual: 4000, long: 10_000 })
const SEED = Number(process.env['SIMULATION_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

test(
  `the wallets of 100 workspaces hold over three years what they should to the unit, whatever crashes, repeats and meets (seed ${SEED})`,
  async () => {
    const simulation = await simulate({ seed: SEED, operations: OPERATIONS, days: 3 * 365, workspaces: 100 })
    try {
      const { crashes, races, events, entries, refused, done } = simulation.tally
      // A simulation in which little happened would prove little.
      expect(Math.min(crashes, races, refused)).toBeGreaterThan(Math.min(OPERATIONS / 100, 2000))
      expect([...events.keys()].sort()).toEqual([
        'keyword.capped',
        'keyword.paused_for_balance',
        'keyword.resumed',
        'wallet.low',
        'wallet.paused',
        'wallet.resumed',
      ])
      expect(done.size).toBe(13)
      expect(entries).toBeGreaterThan(3000)
    } finally {
      await simulation.close()
    }
  },
  // A million operations take some two hours.
  Math.max(10, OPERATIONS / 2000) * MINUTE_MS,
)

interface Defect {
  name: string
  /** What the code would have done. */
  do(tx: Transaction): Promise<unknown>
  complains: RegExp
}

const OF_ONE = sql`(select id from workspace where id in (select workspace_id
    from keyword_day) and id in (select workspace_id from delivery) order by id limit 1)`

const DEFECTS: Defect[] = [
  {
    name: 'a keyword-day that is booked twice, by all rules of double entry',
    async do(tx) {
      const [day] = await tx.query<{ workspace_id: never; day: string }>(
        sql`select workspace_id, day from keyword_day where workspace_id = ${OF_ONE} limit 1`,
      )
      const twice = {
        workspaceId: day!.workspace_id,
        kind: 'debit_keyword_days' as const,
        amount: units(-500),
        day: day!.day,
        units: 1,
      }
      await book(tx, { ...twice, key: 'keyword_days once more', at: new Date('2027-06-01T00:00:00Z') })
    },
    complains: /ledger of/,
  },
  {
    name: 'a keyword that is charged on a day on which it did not run',
    do: (tx) =>
      tx.query(
        sql`insert into keyword_day (workspace_id, day, keyword_id, units) select workspace_id, '2026-11-01', id, 500
            from keyword limit 1`,
      ),
    complains: /keyword-days of/,
  },
  {
    name: 'a mention that is charged twice',
    do: (tx) =>
      tx.query(
        sql`update usage_day set scored = scored + 1, billable = billable + 1, mention_units = mention_units + 24`,
      ),
    complains: /usage of/,
  },
  {
    name: 'a mention that is forgotten',
    do: (tx) => tx.query(sql`update usage_day set scored = 0, billable = 0, mention_units = 0`),
    complains: /usage of/,
  },
  {
    name: 'as many mentions as there should be, but not the same ones',
    do: (tx) => tx.query(sql`update mention set free = not free where scored_at is null`),
    complains: /waiting is/,
  },
  {
    name: 'a keyword that goes on without money',
    do: (tx) => tx.query(sql`update keyword set muted = false, paused_for_balance = false where paused_for_balance`),
    complains: /keywords is/,
  },
  {
    name: 'events in another order',
    do: (tx) =>
      tx.query(sql`
      with ordered as (select workspace_id, id, event, data, row_number() over (partition by workspace_id
        order by id) as place,
        row_number() over (partition by workspace_id order by id desc) as other from delivery)
      update delivery d set event = b.event, data = b.data from ordered a
        join ordered b on b.workspace_id = a.workspace_id and b.other = a.place
      where d.workspace_id = a.workspace_id and d.id = a.id`),
    complains: /events (of|is)/,
  },
  {
    name: 'a welcome credit that is given twice',
    do: (tx) => tx.query(sql`update workspace set balance_units = balance_units + 17400 where id = ${OF_ONE}`),
    complains: /balance is/,
  },
]

class Undone extends Error {}

test('a simulation finds what it is there to find', async () => {
  const simulation = await simulate({ seed: 7, operations: 400, days: 60, workspaces: 8 })
  const { db, differences } = simulation
  try {
    expect(await differences(db)).toEqual([])
    for (const { name, do: damage, complains } of DEFECTS) {
      let found = ''
      const trial = db.transaction(async (tx) => {
        await damage(tx)
        found = (await differences(tx)).join('\n')
        throw new Undone()
      })
      await expect(trial).rejects.toThrow(Undone)
      expect([name, found]).toEqual([name, expect.stringMatching(complains)])
    }
    expect(await differences(db)).toEqual([])
  } finally {
    await simulation.close()
  }
}, 120_000)
