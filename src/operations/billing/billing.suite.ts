import { createPerson } from '../../../test/people.ts'
import type { StripeStandIn } from '../../../test/stand-ins/stripe.ts'
import type { TestWorkspace, World } from '../../../test/world.ts'
import type { Role } from '../../domain/member/member.ts'
import { sql } from '../../store/database.ts'

/** A body for a top-up. */
export const TOP_UP = { amountCents: 5000, successUrl: 'https://app.example/paid' }

/** A workspace with an owner, who is billed. */
export async function billedWorkspace(
  world: World,
  name = 'Acme',
): Promise<{ acme: TestWorkspace; ownerEmail: string }> {
  const acme = await world.workspace(name)
  return { acme, ownerEmail: (await createPerson(world.services, acme.workspaceId, 'owner')).email }
}

/** Asks as people of every role and with keys, and answers how each was answered. */
export async function askAsEverybody(
  world: World,
  acme: TestWorkspace,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, number>> {
  const roles: Role[] = ['owner', 'admin', 'member']
  const people = await Promise.all(
    roles.map(async (role) => [role, (await createPerson(world.services, acme.workspaceId, role)).token] as const),
  )
  const answered: Record<string, number> = {}
  for (const [name, key] of [...people, ['write key', acme.writeKey], ['read key', acme.readKey]] as const)
    answered[name] = (await acme.api(method, path, body, { key })).status
  return answered
}

/** Who the workspace is at the provider, made by its first page of payment. */
export async function customerOf(acme: TestWorkspace): Promise<string> {
  await acme.api('POST', '/v1/billing/top-ups', TOP_UP)
  const [row] = await acme.db.query<{ customer_id: string }>(
    sql`select customer_id from billing_profile where workspace_id = ${acme.workspaceId}`,
  )
  return row!.customer_id
}

/** Puts invoices of a customer at the provider, and answers their ids, newest first. */
export function putInvoices(stripe: StripeStandIn, customer: string, count: number): string[] {
  const ids = Array.from({ length: count }, (_, at) => `in_${customer.slice(4)}${at}`)
  for (const [at, id] of ids.entries())
    stripe.put({
      id,
      object: 'invoice',
      customer,
      number: `ACME-${at}`,
      status: 'paid',
      amount_due: 2000 + at,
      created: 1_763_630_000 + at,
      hosted_invoice_url: `https://invoice.stripe.example/i/${id}`,
    })
  return ids.reverse()
}
