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
      .meta({ description: 'How posts are got: as they appear, by asking again and again, or from review pages.' }),
    status: z
      .enum(SOURCE_STATUSES)
      .meta({ description: 'degraded: it is set up, but collecting from it has been failing.' }),
    missing: z
      .array(textOut(100))
      .max(20)
      .meta({ description: 'Names of settings that the operator has to make before the platform is collected from.' }),
    lagSeconds: countOut
      .nullable()
      .meta({ description: 'Age of the newest thing that was read; it grows, too, while nothing new is written.' }),
    lastSuccessAt: timeOut.nullable(),
    lastError: textOut(200).nullable().meta({ description: 'Why the last attempt failed; null when it succeeded.' }),
    cost: z
      .strictObject({
        usd: dollars,
        usdLimit: dollars
          .nullable()
          .meta({ description: 'The most that may be spent on one day; null means that there is no limit.' }),
        quotas: z
          .array(z.strictObject({ name: textOut(100), used: countOut, limit: countOut.nullable() }))
          .max(50)
          .meta({ description: 'What was taken of each quota; limit is null where days are only counted.' }),
      })
      .meta({ description: 'What was used today, by the calendar of each quota.' }),
  })
  .meta({ id: 'Source', description: 'A platform, how it is set up and how it fares.' })
