import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/database-server.ts'
import { sql } from '../../test/database-setup.ts'

const text = (name: string) => readFileSync(join(import.meta.dirname, 'migrations', name), 'utf8')

test('entries from before have keys of their own and their two postings, and the first welcome credit its name', async () => {
  const place = await createEmptyDatabase()
  const run = (statement: string) =>
    sql<{ key: string; account: string; amount_units: string }>(place.connection, statement)
  try {
    await run(text('0001-foundation.sql'))
    const workspaces = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b']
    for (const id of workspaces) {
      await run(`insert into workspace (id, name, created_at, settled_through) values ('${id}', 'Acme', now(), now())`)
      await run(`insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, created_at) values
        ('${id}', '01900000-0000-7000-8000-000000000001', 'signup_credit', 17400, 17400, '2026-11-01'),
        ('${id}', '01900000-0000-7000-8000-000000000002', 'signup_credit', 17400, 34800, '2026-11-02'),
        ('${id}', '01900000-0000-7000-8000-000000000003', 'grant', 300, 35100, '2026-11-03'),
        ('${id}', '01900000-0000-7000-8000-000000000004', 'debit_mentions', -24, 35076, '2026-11-03'),
        ('${id}', '01900000-0000-7000-8000-000000000005', 'topup', 60000, 95076, '2026-11-03')`)
    }
    await run(text('0010-ledger.sql'))
    for (const id of workspaces) {
      const rows =
        await run(`select e.key, p.account, p.amount_units::text from ledger_entry e join ledger_posting p on p.workspace_id = e.workspace_id and p.entry_id = e.id
        where e.workspace_id = '${id}' order by e.id, p.account = 'wallet' desc`)
      const entry = (at: number) => `entry 01900000-0000-7000-8000-00000000000${at}`
      expect(rows.map((row) => [row.key, row.account, row.amount_units])).toEqual([
        ['welcome', 'wallet', '17400'],
        ['welcome', 'credit', '-17400'],
        [entry(2), 'wallet', '17400'],
        [entry(2), 'credit', '-17400'],
        [entry(3), 'wallet', '300'],
        [entry(3), 'credit', '-300'],
        [entry(4), 'wallet', '-24'],
        [entry(4), 'revenue', '24'],
        [entry(5), 'wallet', '60000'],
        [entry(5), 'payment', '-60000'],
      ])
    }
  } finally {
    await place.drop()
  }
})
