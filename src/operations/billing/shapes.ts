import { z } from 'zod'
import { THRESHOLD_CENTS, TOP_UP_CENTS } from '../../domain/payment/top-up.ts'
import { LEDGER_KINDS } from '../../domain/wallet/ledger.ts'
import { NOTE_MAX } from '../../queries/wallet/list-ledger.ts'
import { countOut, dayOut, idOut, textOut, timeOut } from '../shapes.ts'
import { centsOut, currencyOut, standing } from '../usage/shapes.ts'

/** When and how much is paid in by itself. */
export const autoRecharge = z
  .strictObject({
    available: z.boolean().meta({
      description: 'True if a payment method is saved, which the first paid top-up does.',
    }),
    enabled: z.boolean(),
    thresholdCents: z
      .int()
      .min(THRESHOLD_CENTS.min)
      .max(THRESHOLD_CENTS.max)
      .meta({ description: 'The charge is made when the effective balance falls below this.' }),
    amountCents: z.int().min(TOP_UP_CENTS.min).max(TOP_UP_CENTS.max).meta({ description: 'Amount of each charge.' }),
    lastRunAt: timeOut.nullable(),
    lastError: textOut(200).nullable().meta({ description: 'Why the last charge failed; null if it succeeded.' }),
  })
  .meta({ id: 'AutoRecharge', description: 'Threshold and amount of automatic charges.' })

/** The wallet in full. */
export const wallet = z
  .strictObject({
    balanceCents: standing.balanceCents,
    pendingCents: standing.pendingCents,
    effectiveBalanceCents: standing.effectiveCents,
    burnPerDayCents: standing.burnPerDayCents,
    daysLeft: standing.daysLeft,
    stopped: standing.stopped,
    lowBalance: standing.lowBalance,
    activeKeywords: countOut.meta({
      description: 'Keywords that are charged daily: all unmuted ones, capped ones included.',
    }),
    autoMutedKeywords: countOut.meta({ description: 'Keywords paused because the balance ran out.' }),
    nextDayCents: standing.nextDayCents,
    resumeCostCents: centsOut.meta({
      description:
        'Cost of one day of all running keywords and those paused by the wallet, which the effective ' +
        'balance must cover.',
    }),
    signupCredit: z
      .strictObject({ amountCents: centsOut, grantedAt: timeOut })
      .nullable()
      .meta({ description: 'Welcome credit of the workspace; null if none was granted.' }),
    lastTopUpAt: standing.lastTopUpAt,
    billingConfigured: z.boolean().meta({ description: 'Whether this installation accepts payments.' }),
    minTopUpCents: centsOut,
    maxTopUpCents: centsOut,
    defaultTopUpCents: centsOut.meta({ description: 'Suggested amount.' }),
    currency: currencyOut,
    autoRecharge,
  })
  .meta({ id: 'Wallet', description: 'The prepaid balance, its use and its recharge.' })

/** A line of the ledger. */
export const ledgerLine = z
  .strictObject({
    id: idOut('led'),
    kind: z.enum(LEDGER_KINDS),
    amountCents: centsOut.meta({ description: 'Amount added to the balance; negative for debits.' }),
    balanceCents: centsOut.meta({ description: 'Balance after this entry.' }),
    day: dayOut.nullable().meta({ description: 'Day (UTC) a debit pays for.' }),
    units: countOut.nullable().meta({ description: 'Number of keywords or mentions a debit pays for.' }),
    note: textOut(NOTE_MAX).nullable(),
    createdAt: timeOut,
  })
  .meta({ id: 'LedgerEntry', description: 'A change of the balance. Entries are never changed or removed.' })

/** An invoice. */
export const invoice = z
  .strictObject({
    id: textOut(255).meta({ description: 'Id at the payment provider.' }),
    number: textOut(100).nullable().meta({ description: 'Invoice number; null until the invoice is final.' }),
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
    amountCents: z.int().min(0).max(99_999_999),
    createdAt: timeOut,
  })
  .meta({ id: 'Invoice', description: 'An invoice of a top-up, kept by the payment provider.' })

/** The address of a page that the payment provider serves. */
export const pageAddress = z.strictObject({
  url: textOut(4000).meta({ description: '`https` address to open in a browser.' }),
})
