import { createPerson, type Person } from '../../../test/people.ts'
import type { StripeStandIn } from '../../../test/stand-ins/stripe.ts'
import type { TestWorkspace, World } from '../../../test/world.ts'
import { type Database, sql, type Transaction } from '../../store/database.ts'
import { takeMessage } from './take-message.ts'

export interface Payer {
  acme: TestWorkspace
  owner: Person
}

export async function payer(world: World, name = 'Acme'): Promise<Payer> {
  const acme = await world.workspace(name)
  return { acme, owner: await createPerson(world.services, acme.workspaceId, 'owner') }
}

/** Ledger entries except the welcome credit, oldest first, in cents. */
export async function ledgerOf({
  db,
  workspaceId,
}: TestWorkspace): Promise<[kind: string, cents: number, key: string][]> {
  const rows = await db.query<{ kind: string; amount_units: number; key: string }>(sql`
    select kind, amount_units, key from ledger_entry where workspace_id = ${workspaceId} and kind <> 'signup_credit'
      order by created_at, id`)
  return rows.map((row) => [row.kind, row.amount_units / 30, row.key])
}

/** In cents, without the welcome credit; throws when the ledger does not add up. */
export async function balanceOf({ db, workspaceId }: TestWorkspace): Promise<number> {
  const [row] = await db.query<{ balance: number; booked: number; posted: number; given: number }>(sql`
    select balance_units as balance,
      (select coalesce(sum(amount_units), 0)::bigint from ledger_entry where workspace_id = w.id) as booked,
      (select coalesce(sum(amount_units), 0)::bigint from ledger_posting where workspace_id = w.id) as posted,
      (select coalesce(sum(amount_units), 0)::bigint from ledger_entry
        where workspace_id = w.id and kind = 'signup_credit') as given
    from workspace w where id = ${workspaceId}`)
  if (row!.balance !== row!.booked || row!.posted !== 0)
    throw new Error(`the balance does not add up: ${JSON.stringify(row)}`)
  return (row!.balance - row!.given) / 30
}

/** Pays on a checkout page, without the provider's message about it. */
export async function payOnPage(stripe: StripeStandIn, { acme }: Payer, amountCents = 5000) {
  const { status, body } = await acme.api('POST', '/v1/billing/top-ups', {
    amountCents,
    successUrl: 'https://app.example/paid',
  })
  if (status !== 201) throw new Error(`no page: ${JSON.stringify(body)} ${stripe.lines.at(-1)}`)
  const session = stripe.objects.get(body.url.split('/').at(-1))!
  const intent = stripe.pay(session['id'])
  return { session, intent, charge: stripe.objects.get(`ch_${intent['id']}`)! }
}

/** Pays and sends the provider's message, which saves a payment method. */
export async function topUp(stripe: StripeStandIn, world: World, who: Payer, amountCents = 5000, saved?: string) {
  const paid = await payOnPage(stripe, who, amountCents)
  if (saved !== undefined) paid.intent['payment_method'] = saved
  await tell(world, stripe.message('payment_intent.succeeded', paid.intent))
  return paid
}

export function tell(world: World, { body, signature }: { body: string; signature: string }) {
  return takeMessage(world.services, body, signature)
}

/** Leaves a balance of so many cents. */
export async function leave({ db, workspaceId }: TestWorkspace, cents: number): Promise<void> {
  await db.query(sql`
    with gone as (
      insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, key, created_at)
      select id, gen_random_uuid(), 'adjustment', ${cents * 30}::bigint - balance_units, ${cents * 30},
        'test ' || gen_random_uuid(), now() from workspace
      where id = ${workspaceId} returning workspace_id, id, amount_units),
    posted as (
      insert into ledger_posting select workspace_id, id, 'wallet', amount_units from gone union all
        select workspace_id, id, 'credit', -amount_units from gone)
    update workspace set balance_units = ${cents * 30} where id = ${workspaceId}`)
}

export async function isStopped({ db, workspaceId }: TestWorkspace): Promise<boolean> {
  const [row] = await db.query<{ stopped: boolean }>(
    sql`select bool_and(muted and paused_for_balance) as stopped from keyword where workspace_id = ${workspaceId}`,
  )
  return row!.stopped
}

/** A database whose connection breaks at the given statement of transactions. */
export function dyingAt(db: Database, statement: number): Database {
  let count = 0
  const step = () => {
    if (count++ === statement) throw new Error('the process died')
  }
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const dying: Transaction = {
          inTransaction: true,
          query: async (text) => {
            step()
            return tx.query(text)
          },
          run: async (name, text, values) => {
            step()
            return tx.run(name, text, values)
          },
        }
        const result = await work(dying)
        step()
        return result
      }),
  }
}
