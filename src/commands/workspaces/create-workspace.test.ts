import { expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { WELCOME_CREDIT } from '../../domain/wallet/prices.ts'
import { sql } from '../../store/database.ts'
import { createWorkspace } from './create-workspace.ts'

const world = useWorld()

test('a new workspace has the welcome credit, booked once, and a default group', async () => {
  const id = await createWorkspace(world.services, 'Acme')
  expect(
    await world.db.query(
      sql`select name, balance_units, last_credit_units, welcome_limits, settled_through from workspace
          where id = ${id}`,
    ),
  ).toEqual([
    {
      name: 'Acme',
      balance_units: 17_400,
      last_credit_units: 17_400,
      welcome_limits: true,
      settled_through: '2026-11-19',
    },
  ])
  expect(
    await world.db.query(
      sql`select kind, key, amount_units, balance_units from ledger_entry where workspace_id = ${id}`,
    ),
  ).toEqual([{ kind: 'signup_credit', key: 'welcome', amount_units: WELCOME_CREDIT, balance_units: WELCOME_CREDIT }])
  expect(await world.db.query(sql`select name, is_default from keyword_group where workspace_id = ${id}`)).toEqual([
    { name: 'Default', is_default: true },
  ])
})

test('two workspaces may have one name', async () => {
  expect(await createWorkspace(world.services, 'Twin')).not.toBe(await createWorkspace(world.services, 'Twin'))
})
