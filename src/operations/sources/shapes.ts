import { z } from 'zod'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { SOURCE_MODES, SOURCE_STATUSES } from '../../queries/sources/list-sources.ts'
import { countOut, textOut, timeOut } from '../shapes.ts'

const dollars = z.number().min(0).max(1_000_000_000)

/** A platform, how it is set up and how it fares. */
export const source = z
  .strictObject({
    platform: z.enum(PLATFORMS),
    mode: z
      .enum(SOURCE_MODES)
      .meta({ description: 'How posts are collected: live, by polling, or from review pages.' }),
    status: z.enum(SOURCE_STATUSES).meta({ description: '`degraded`: set up, but collecting fails.' }),
    missing: z
      .array(textOut(100))
      .max(20)
      .meta({ description: 'Settings that the operator must set before the platform is collected.' }),
    lagSeconds: countOut
      .nullable()
      .meta({ description: 'Age of the newest item read. It also grows while nothing new is published.' }),
    lastSuccessAt: timeOut.nullable(),
    lastError: textOut(200).nullable().meta({ description: 'Why the last attempt failed; null if it succeeded.' }),
    cost: z
      .strictObject({
        usd: dollars,
        usdLimit: dollars.nullable().meta({ description: 'Daily spending limit; null for none.' }),
        quotas: z
          .array(z.strictObject({ name: textOut(100), used: countOut, limit: countOut.nullable() }))
          .max(50)
          .meta({ description: 'Use of each quota; `limit` is null if only counted.' }),
      })
      .meta({ description: "Today's use, by the calendar of each quota." }),
  })
  .meta({ id: 'Source', description: 'A platform with its set-up and status.' })
