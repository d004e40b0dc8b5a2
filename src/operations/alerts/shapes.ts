import { z } from 'zod'
import { ALERT_MODES } from '../../domain/alert/mode.ts'
import { MUTED_AUTHORS_MAX } from '../../domain/alert/muted-authors.ts'
import { CHANNEL_KINDS } from '../../domain/channel/channel-kind.ts'
import { filterOut } from '../filter-shapes.ts'
import { countOut, idIn, idOut, lineIn, textOut, timeOut } from '../shapes.ts'

/**
 * Lengths in characters, and how many channels a rule may name. An author's normal form can be longer than what was
 * sent.
 */
export const ALERT_LIMITS = { name: 80, event: 60, channels: 50, timezone: 64, author: 500, authorShown: 1000 } as const

const MODES = '`instant` sends each mention by itself; `hourly`, `daily` and `weekly` send a digest of the period.'
const modeOut = z.enum(ALERT_MODES).meta({ description: MODES })

const hour = z.int().min(0).max(23).meta({ description: 'Time of day in the time zone.' })
const minute = z.int().min(0).max(59)
const weekday = z
  .int()
  .min(0)
  .max(6)
  .nullable()
  .meta({ description: 'Day of the week, 0 for Sunday. Weekly rules only.' })
const SKIP_EMPTY = 'Whether a period without mentions sends no digest.'

const scheduleOut = z
  .strictObject({
    hour,
    minute,
    timezone: textOut(ALERT_LIMITS.timezone).meta({
      description: 'IANA time zone, such as Europe/Berlin.',
    }),
    skipEmpty: z.boolean().meta({ description: SKIP_EMPTY }),
    weekday,
  })
  .meta({ id: 'AlertSchedule', description: 'When a daily or weekly rule sends its digest.' })

/** An alert rule in full. */
export const alert = z
  .strictObject({
    id: idOut('feed'),
    name: textOut(ALERT_LIMITS.name),
    enabled: z.boolean(),
    mode: modeOut,
    event: textOut(ALERT_LIMITS.event),
    filter: filterOut,
    schedule: scheduleOut.nullable().meta({
      description: 'Null for instant rules, and for hourly rules, which send five minutes past each hour (UTC).',
    }),
    channelIds: z.array(idOut('dest')).max(ALERT_LIMITS.channels),
    channels: z
      .array(z.strictObject({ id: idOut('dest'), kind: z.enum(CHANNEL_KINDS), label: textOut(100) }))
      .max(ALERT_LIMITS.channels),
    version: z.int().min(1).meta({ description: 'Increases with every change. Send it as `ifVersion`.' }),
    stats: z.strictObject({
      sentLast7d: countOut,
      lastSentAt: timeOut.nullable(),
      nextRunAt: timeOut
        .nullable()
        .meta({ description: 'When the next digest is due; null for instant and disabled rules.' }),
    }),
    createdAt: timeOut,
  })
  .meta({
    id: 'Alert',
    description:
      'A rule that sends mentions to channels. Without `minRelevance` in its filter it sends relevant ' +
      'mentions only.',
  })

// What callers may say of a rule, when they create and when they change it.

export const nameIn = lineIn(1, ALERT_LIMITS.name)
export const modeIn = z.enum(ALERT_MODES).meta({ description: MODES })
export const eventIn = z
  .string()
  .max(ALERT_LIMITS.event)
  .regex(/^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*$/, 'must be a lowercase name, with dots between its parts')
  .meta({ description: 'Event name that receivers see.' })
/** A rule as it is shown can be sent back. */
export const scheduleIn = z
  .strictObject({
    hour,
    minute,
    timezone: z
      .string()
      .min(1)
      .max(ALERT_LIMITS.timezone)
      .meta({ description: 'IANA time zone, such as Europe/Berlin.' }),
    skipEmpty: z.boolean().default(false).meta({ description: SKIP_EMPTY }),
    weekday: weekday.default(null),
  })
  .nullable()
  .optional()
  .meta({
    description:
      'Required for daily and weekly rules; others have none. If clocks skip the time of day, the ' +
      'digest is sent after the gap.',
  })
export const channelIdsIn = z
  .array(idIn('dest'))
  .max(ALERT_LIMITS.channels)
  .meta({ description: 'Channels that receive matching mentions.' })

/** People as callers name them, in entries of at most `longest` characters. */
export function authorsIn(longest: number) {
  return z.array(lineIn(1, longest)).min(1).max(MUTED_AUTHORS_MAX).meta({
    description: 'Profile links, @handles, u/names or names. Post links work if the workspace has the post.',
  })
}
