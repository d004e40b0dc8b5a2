import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/database-server.ts'
import { sql } from '../../test/database-setup.ts'

const text = (name: string) => readFileSync(join(import.meta.dirname, 'migrations', name), 'utf8')

test('entries from before are numbered by their time, those to come go on from there, and none can be changed afterwards', async () => {
  const place = await createEmptyDatabase()
  const run = (statement: string) => sql<{ id: string; place: string }>(place.connection, statement)
  const workspaces = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b']
  const insert = (workspace: string, at: number, day: string) =>
    run(`insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, key, created_at)
      values ('${workspace}', '01900000-0000-7000-8000-00000000000${at}', 'grant', 30, 0, 'grant ${at}', '${day}')`)
  try {
    await run(text('0001-foundation.sql'))
    await run(text('0010-ledger.sql'))
    for (const id of workspaces)
      await run(`insert into workspace (id, name, created_at, settled_through) values ('${id}', 'Acme', now(), now())`)
    // Not in the order in which they lie in the table.
    for (const id of workspaces) for (const at of [3, 1, 2]) await insert(id, at, `2026-11-0${at}`)
    await run(text('0012-ledger-order.sql'))
    for (const id of workspaces) await insert(id, 0, '2026-10-01')
    for (const id of workspaces) {
      const rows = await run(`select id, place from ledger_entry where workspace_id = '${id}' order by place`)
      expect(rows.map((row) => row.id.at(-1))).toEqual(['1', '2', '3', '0'])
    }
    await expect(run(`update ledger_entry set place = default`)).rejects.toThrow('the ledger is append-only')
  } finally {
    await place.drop()
  }
})

test('an empty ledger begins with the first number', async () => {
  const place = await createEmptyDatabase()
  try {
    for (const name of ['0001-foundation.sql', '0010-ledger.sql', '0012-ledger-order.sql'])
      await sql(place.connection, text(name))
    const [next] = await sql<{ place: string }>(
      place.connection,
      `select nextval(pg_get_serial_sequence('ledger_entry', 'place'))::text as place`,
    )
    expect(next).toEqual({ place: '1' })
  } finally {
    await place.drop()
  }
})
