import { z } from 'zod'
import { PAYMENT_KINDS, type PaymentKind } from '../../domain/payment/top-up.ts'
import { fromId, type Id, toId, type Uuid } from '../../kernel/ids.ts'

const id = z.string().min(1).max(255)
/** An id, or the whole object where the request expanded it. */
const reference = z.union([id, z.object({ id }).transform((object) => object.id)])
const amount = z.int().min(0).max(99_999_999)
const currency = z
  .string()
  .regex(/^[a-zA-Z]{3}$/)
  .toLowerCase()
const webAddress = z.url({ protocol: /^https$/ }).max(4000)
const seconds = z.int().min(0).max(100_000_000_000)
const metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {})

export const customer = z.object({ id })
export const checkoutPage = z.object({ id, url: webAddress })

export const session = z.object({
  id,
  created: seconds,
  payment_status: z.string().max(100),
  payment_intent: reference.nullable(),
  amount_total: amount.nullable(),
  currency: currency.nullable(),
  customer: reference.nullable(),
  metadata,
})

export const paymentIntent = z.object({
  id,
  created: seconds,
  status: z.string().max(100),
  amount_received: amount,
  currency,
  customer: reference.nullish(),
  payment_method: reference.nullish(),
  last_payment_error: z
    .object({ code: z.string().max(100).nullish(), decline_code: z.string().max(100).nullish() })
    .nullish(),
  metadata,
})

export const listedIntent = paymentIntent.extend({
  latest_charge: z.object({ amount_refunded: amount, disputed: z.boolean() }).nullish(),
})

export const charge = z.object({
  id,
  payment_intent: reference.nullable(),
  amount_refunded: amount,
  currency,
  metadata,
})
export const refund = z.object({ id, charge: reference.nullable(), status: z.string().max(100).nullish() })
export const dispute = z.object({
  id,
  payment_intent: reference.nullish(),
  amount,
  currency,
  status: z.string().max(100),
})

export const invoice = z.object({
  id,
  number: z.string().max(100).nullable(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  amount_due: amount,
  created: seconds,
})
export const list = z.object({ data: z.array(z.looseObject({ id })).max(100), has_more: z.boolean() })
export const invoicePage = z.object({ id, customer: reference.nullable(), hosted_invoice_url: webAddress.nullish() })

export const message = z.object({
  id,
  type: z.string().max(200),
  created: seconds,
  data: z.object({ object: z.unknown() }),
})

/** Metadata names that mark and find our objects. */
const NAMES = {
  workspace: 'earshot_workspace',
  kind: 'earshot_kind',
  attempt: 'earshot_attempt',
  payer: 'earshot_payer',
} as const

export function labels(
  workspaceId: Uuid,
  kind: PaymentKind,
  { attemptId, payerId }: { attemptId?: Uuid; payerId?: Uuid },
): Record<string, string> {
  return {
    [NAMES.workspace]: toId('org', workspaceId),
    [NAMES.kind]: kind,
    ...(attemptId === undefined ? {} : { [NAMES.attempt]: attemptId }),
    ...(payerId === undefined ? {} : { [NAMES.payer]: toId('user', payerId) }),
  }
}

export function workspaceLabel(workspaceId: Uuid): { earshot_workspace: Id<'org'> } {
  return { [NAMES.workspace]: toId('org', workspaceId) }
}

export interface Labels {
  workspaceId: Uuid | null
  kind: PaymentKind
  attemptId: Uuid | null
  payerId: Uuid | null
}

/** Null for labels that are missing or not ours. */
export function readLabels(given: Readonly<Record<string, string>>): Labels {
  const attempt = given[NAMES.attempt]
  return {
    workspaceId: fromId('org', given[NAMES.workspace] ?? ''),
    kind: PAYMENT_KINDS.find((kind) => kind === given[NAMES.kind]) ?? 'topup',
    attemptId: attempt !== undefined && z.guid().safeParse(attempt).success ? (attempt as Uuid) : null,
    payerId: fromId('user', given[NAMES.payer] ?? ''),
  }
}
