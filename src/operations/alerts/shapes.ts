import { z } from 'zod'
import { CHANNEL_KINDS } from '../../domain/delivery/channel-kind.ts'
import { filterOut } from '../filter-shapes.ts'
import { countOut, idIn, idOut, lineIn, textOut, timeOut } from '../shapes.ts'

/** Lengths in characters, and how many channels a rule may name. */
export const ALERT_LIMITS = { name: 80, event: 60, channels: 50 } as const

const modeOut = z.literal('instant').meta({ description: 'instant: one request for each mention.' })

/** An alert rule in full. */
export const alert = z
  .strictObject({
    id: idOut('feed'),
    name: textOut(ALERT_LIMITS.name),
    enabled: z.boolean(),
    mode: modeOut,
    event: textOut(ALERT_LIMITS.event),
    filter: filterOut,
    schedule: z.null().meta({ description: 'Instant rules have none.' }),
    channelIds: z.array(idOut('dest')).max(ALERT_LIMITS.channels),
    channels: z.array(z.strictObject({ id: idOut('dest'), kind: z.enum(CHANNEL_KINDS), label: textOut(100) })).max(ALERT_LIMITS.channels),
    version: z.int().min(1).meta({ description: 'Grows with every change; send it as ifVersion.' }),
    stats: z.strictObject({
      sentLast7d: countOut,
      lastSentAt: timeOut.nullable(),
      nextRunAt: z.null().meta({ description: 'Instant rules have no runs.' }),
    }),
    createdAt: timeOut,
  })
  .meta({
    id: 'Alert',
    description: 'A rule that says which mentions go to which channels. Without minRelevance in its filter it sends relevant mentions only.',
  })

// What callers may say of a rule, when they create and when they change it.

export const nameIn = lineIn(1, ALERT_LIMITS.name)
export const modeIn = z.enum(['instant']).meta({ description: 'This version sends mentions one by one.' })
export const eventIn = z
  .string()
  .max(ALERT_LIMITS.event)
  .regex(/^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*$/, 'must be a lowercase name, with dots between its parts')
  .meta({ description: 'The event name that receivers see.' })
/** A rule as it is shown can be sent back. */
export const scheduleIn = z.null().optional().meta({ description: 'Instant rules have none.' })
export const channelIdsIn = z.array(idIn('dest')).max(ALERT_LIMITS.channels).meta({ description: 'Where matching mentions go.' })
