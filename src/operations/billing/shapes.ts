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
      description: 'True when there is something that can be charged without a person: a top-up has been paid before.',
    }),
    enabled: z.boolean(),
    thresholdCents: z
      .int()
      .min(THRESHOLD_CENTS.min)
      .max(THRESHOLD_CENTS.max)
      .meta({ description: 'Charged when the effective balance is below this.' }),
    amountCents: z.int().min(TOP_UP_CENTS.min).max(TOP_UP_CENTS.max).meta({ description: 'How much is charged.' }),
    lastRunAt: timeOut.nullable(),
    lastError: textOut(200).nullable().meta({ description: 'Why the last one came to nothing; null when it did not.' }),
  })
  .meta({ id: 'AutoRecharge', description: 'When and how much is paid in by itself.' })

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
      description: 'Keywords for which a day is charged: all that are not muted, capped ones among them.',
    }),
    autoMutedKeywords: countOut.meta({ description: 'Keywords that stopped because the balance ran out.' }),
    nextDayCents: standing.nextDayCents,
    resumeCostCents: centsOut.meta({
      description:
        'One day of all running keywords and of those that the wallet has stopped: what the effective balance ' +
        'must cover.',
    }),
    signupCredit: z
      .strictObject({ amountCents: centsOut, grantedAt: timeOut })
      .nullable()
      .meta({ description: 'The credit that the workspace began with; null when it was given none.' }),
    lastTopUpAt: standing.lastTopUpAt,
    billingConfigured: z.boolean().meta({ description: 'Whether this installation takes payments.' }),
    minTopUpCents: centsOut,
    maxTopUpCents: centsOut,
    defaultTopUpCents: centsOut.meta({ description: 'What is proposed to somebody who names no amount.' }),
    currency: currencyOut,
    autoRecharge,
  })
  .meta({ id: 'Wallet', description: 'The prepaid balance, what draws on it, and how it is filled.' })

/** A line of the ledger. */
export const ledgerLine = z
  .strictObject({
    id: idOut('led'),
    kind: z.enum(LEDGER_KINDS),
    amountCents: centsOut.meta({ description: 'What the balance gained; negative for what it lost.' }),
    balanceCents: centsOut.meta({ description: 'The balance with this line included.' }),
    day: dayOut.nullable().meta({ description: 'The day (UTC) that a debit pays for.' }),
    units: countOut.nullable().meta({ description: 'How many keywords or mentions a debit pays for.' }),
    note: textOut(NOTE_MAX).nullable(),
    createdAt: timeOut,
  })
  .meta({ id: 'LedgerEntry', description: 'Something that moved the balance. It is never changed or removed.' })

/** An invoice. */
export const invoice = z
  .strictObject({
    id: textOut(255).meta({ description: 'The payment provider’s id of it.' }),
    number: textOut(100).nullable().meta({ description: 'As it stands on the paper; null before it is final.' }),
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
    amountCents: z.int().min(0).max(99_999_999),
    createdAt: timeOut,
  })
  .meta({ id: 'Invoice', description: 'An invoice of a top-up, kept by the payment provider.' })

/** The address of a page that the payment provider serves. */
export const pageAddress = z.strictObject({
  url: textOut(4000).meta({ description: 'An https address to open in a browser.' }),
})
