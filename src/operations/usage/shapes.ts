import { z } from 'zod'
import { GROUP_LIMITS } from '../../domain/group/group.ts'
import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { BREAKDOWNS } from '../../queries/usage/get-breakdown.ts'
import { MAX_WINDOW_DAYS } from '../../queries/usage/window.ts'
import { countOut, dayOut, idOut, textOut, timeOut } from '../shapes.ts'

/** An amount of money in an answer. */
export const centsOut = z.int().meta({ description: 'Whole US cents, rounded half up once.' })
export const currencyOut = z.literal('USD')

/** How a wallet stands, as parts of whatever shows it. */
export const standing = {
  balanceCents: centsOut.meta({ description: 'Balance of the ledger.' }),
  pendingCents: centsOut.meta({ description: 'Cost of scored mentions that the next daily run settles.' }),
  effectiveCents: centsOut.meta({ description: 'Balance minus pending cost. It decides about pauses.' }),
  burnPerDayCents: centsOut.meta({
    description: 'Mean daily cost of the last seven days (UTC), today included; always divided by seven.',
  }),
  daysLeft: countOut.nullable().meta({
    description:
      'Whole days the effective balance lasts at `perDayCents`, or at the cost of the next day if that ' +
      'is 0; null if both are 0.',
  }),
  nextDayCents: centsOut.meta({ description: 'Cost of one more day of every running keyword.' }),
  stopped: z.boolean().meta({ description: 'True if every keyword is paused because the balance ran out.' }),
  lowBalance: z.boolean().meta({ description: 'True if the effective balance is at most a fifth of the last credit.' }),
  lastTopUpAt: timeOut
    .nullable()
    .meta({ description: 'Time of the last credit except the welcome credit; null if there was none.' }),
}

/** Balance and pace in short. */
export const usage = z
  .strictObject({
    balance: z.strictObject({
      cents: standing.balanceCents,
      pendingCents: standing.pendingCents,
      effectiveCents: standing.effectiveCents,
      currency: currencyOut,
    }),
    burn: z.strictObject({ perDayCents: standing.burnPerDayCents, daysLeft: standing.daysLeft }),
    keywords: z.strictObject({
      active: countOut.meta({ description: 'Running and collecting keywords.' }),
      paused: countOut.meta({ description: 'Keywords paused by the wallet or for noise.' }),
      capped: countOut.meta({ description: 'Running keywords that reached their monthly limit.' }),
      limit: countOut,
      dayCents: standing.nextDayCents,
    }),
    mentions: z
      .strictObject({ today: countOut, last30d: countOut })
      .meta({ description: 'Matches, relevant or not. Days are UTC.' }),
    stopped: standing.stopped,
    lowBalance: standing.lowBalance,
    lastTopUpAt: standing.lastTopUpAt,
  })
  .meta({ id: 'Usage', description: 'Balance and spending rate.' })

const amounts = {
  keywordCents: centsOut,
  matchedMentions: countOut,
  billableMentions: countOut.meta({
    description: 'Scored and billed mentions of the window; may lag behind `matchedMentions`.',
  }),
  unclassifiedMentions: countOut.meta({ description: 'Mentions matched in the window and not scored yet.' }),
  mentionCents: centsOut,
  totalCents: centsOut,
}

const row = z.strictObject({
  key: textOut(40).meta({
    description: 'Day, platform, keyword id or group id; by platform also `keyword_days`, which belong to no platform.',
  }),
  label: textOut(Math.max(KEYWORD_LIMITS.termMax, GROUP_LIMITS.name)),
  keyword: z.strictObject({ id: idOut('kw'), term: textOut(KEYWORD_LIMITS.termMax), removed: z.boolean() }).nullable(),
  group: z.strictObject({ id: idOut('grp'), name: textOut(GROUP_LIMITS.name), removed: z.boolean() }).nullable(),
  keywordDays: countOut.nullable().meta({ description: 'Number of charged keyword days; null by platform.' }),
  ...amounts,
})

/** What was used, and what it cost. */
export const usageBreakdown = z
  .strictObject({
    window: z
      .strictObject({ from: dayOut, to: dayOut, days: z.int().min(1).max(MAX_WINDOW_DAYS) })
      .meta({ description: 'Days (UTC), first and last included.' }),
    by: z.enum(BREAKDOWNS),
    filtered: z.boolean().meta({ description: 'True if filtered by keyword, group or platform.' }),
    currency: currencyOut,
    totals: z
      .strictObject({
        keywordDays: countOut,
        ...amounts,
        ledgerDebitCents: centsOut.meta({
          description:
            'Ledger debits for days of the window, for the whole workspace. Mentions of unsettled days are ' +
            'missing.',
        }),
      })
      .meta({
        description: 'Totals over all pages, rounded once, so the sum of rows may differ.',
      }),
    data: z.array(row).max(500),
    total: countOut.meta({ description: 'Number of rows on all pages.' }),
  })
  .meta({ id: 'UsageBreakdown', description: 'Usage and cost.' })
