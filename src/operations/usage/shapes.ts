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
  balanceCents: centsOut.meta({ description: 'The balance of the ledger.' }),
  pendingCents: centsOut.meta({ description: 'Scored mentions that the next daily run settles.' }),
  effectiveCents: centsOut.meta({ description: 'The balance less what is pending: what decides about pausing.' }),
  burnPerDayCents: centsOut.meta({
    description:
      'The mean daily debit of the last seven days (UTC), today included: a seventh of what they cost, also in ' +
      'the first week.',
  }),
  daysLeft: countOut.nullable().meta({
    description:
      'Whole days that the effective balance lasts at burnPerDayCents, or at the cost of the next day where that ' +
      'is 0; null where both are.',
  }),
  nextDayCents: centsOut.meta({ description: 'One more day of every running keyword.' }),
  stopped: z.boolean().meta({ description: 'Every keyword stands still because the balance ran out.' }),
  lowBalance: z.boolean().meta({ description: 'The effective balance is at or under a fifth of the last credit.' }),
  lastTopUpAt: timeOut
    .nullable()
    .meta({ description: 'The last credit but the one at sign-up; null before there was one.' }),
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
      active: countOut.meta({ description: 'Those that run and collect.' }),
      paused: countOut.meta({ description: 'By the wallet or for noise.' }),
      capped: countOut.meta({ description: 'Those that run, and have reached the limit of the month.' }),
      limit: countOut,
      dayCents: standing.nextDayCents,
    }),
    mentions: z
      .strictObject({ today: countOut, last30d: countOut })
      .meta({ description: 'Matches, relevant or not; days are UTC.' }),
    stopped: standing.stopped,
    lowBalance: standing.lowBalance,
    lastTopUpAt: standing.lastTopUpAt,
  })
  .meta({ id: 'Usage', description: 'What is left, and how fast it goes.' })

const amounts = {
  keywordCents: centsOut,
  matchedMentions: countOut,
  billableMentions: countOut.meta({ description: 'Scored and billed in the window; can lag behind matchedMentions.' }),
  unclassifiedMentions: countOut.meta({ description: 'Matched in the window and not scored yet.' }),
  mentionCents: centsOut,
  totalCents: centsOut,
}

const row = z.strictObject({
  key: textOut(40).meta({
    description:
      'The day, platform, keyword id or group id; by platform also keyword_days, which belong to no platform.',
  }),
  label: textOut(Math.max(KEYWORD_LIMITS.termMax, GROUP_LIMITS.name)),
  keyword: z.strictObject({ id: idOut('kw'), term: textOut(KEYWORD_LIMITS.termMax), removed: z.boolean() }).nullable(),
  group: z.strictObject({ id: idOut('grp'), name: textOut(GROUP_LIMITS.name), removed: z.boolean() }).nullable(),
  keywordDays: countOut.nullable().meta({ description: 'Days on which a keyword was charged; null by platform.' }),
  ...amounts,
})

/** What was used, and what it cost. */
export const usageBreakdown = z
  .strictObject({
    window: z
      .strictObject({ from: dayOut, to: dayOut, days: z.int().min(1).max(MAX_WINDOW_DAYS) })
      .meta({ description: 'Days (UTC), the first and the last included.' }),
    by: z.enum(BREAKDOWNS),
    filtered: z.boolean().meta({ description: 'True when only some keywords, groups or platforms were asked for.' }),
    currency: currencyOut,
    totals: z
      .strictObject({
        keywordDays: countOut,
        ...amounts,
        ledgerDebitCents: centsOut.meta({
          description:
            'What the ledger was debited for days of the window, for the whole workspace. Mentions of days that ' +
            'are not settled yet are missing.',
        }),
      })
      .meta({
        description:
          'The sums of all rows, those of other pages included, rounded once: the sum of amounts that were ' +
          'rounded row by row may differ.',
      }),
    data: z.array(row).max(500),
    total: countOut.meta({ description: 'How many rows there are on all pages.' }),
  })
  .meta({ id: 'UsageBreakdown', description: 'What was used, and what it cost.' })
