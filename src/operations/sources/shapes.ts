import { z } from 'zod'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { LATENCY_SAMPLES_MAX } from '../../queries/sources/latency.ts'
import { SOURCE_MODES, SOURCE_STATUSES } from '../../queries/sources/list-sources.ts'
import { countOut, textOut, timeOut } from '../shapes.ts'

/** A post may be as old as its platform. */
const secondsOut = z.number().min(0).max(3_155_760_000)
const dollars = z.number().min(0).max(1_000_000_000)

const percentiles = z.strictObject({
  medianSeconds: secondsOut,
  p95Seconds: secondsOut.meta({ description: 'Seconds that 95 % of the times stay within.' }),
  count: countOut.meta({ description: 'Number of mentions or deliveries that were measured.' }),
})

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
    missingSettings: z
      .array(
        z.strictObject({
          name: textOut(100),
          meaning: textOut(500),
          form: textOut(200),
          getAt: z.array(textOut(200)).max(5).meta({ description: 'Addresses of which each leads to a value.' }),
          price: textOut(200)
            .nullable()
            .meta({ description: 'Price of the service behind the value, in words; null if it is free.' }),
        }),
      )
      .max(20)
      .meta({ description: 'The settings of `missing` in words.' }),
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
    latency: z
      .strictObject({
        postToMention: percentiles.nullable().meta({
          description:
            'From the publication of a post until its mention was stored. Posts from before the keyword collected ' +
            'are left out. Null without a mention in the last hour.',
        }),
        mentionToDelivery: percentiles.nullable().meta({
          description:
            'From storing a mention until a receiver accepted its instant delivery, waiting and attempts included. ' +
            'Null without an accepted delivery in the last hour.',
        }),
      })
      .meta({
        description:
          `Latencies of the last hour in this workspace, of the newest ${LATENCY_SAMPLES_MAX.toLocaleString('en')} ` +
          'mentions and as many deliveries over all platforms.',
      }),
  })
  .meta({ id: 'Source', description: 'A platform with its set-up and status.' })
