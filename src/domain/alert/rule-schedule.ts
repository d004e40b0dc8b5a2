import { type Refusal, refuseField } from '../refusal/refusal.ts'
import type { AlertMode, Schedule } from './mode.ts'
import { isTimezone, nextRunAfter, timetableOf } from './schedule.ts'

interface Running {
  enabled: boolean
  mode: AlertMode
  schedule: Schedule | null
}

export function scheduleFor(mode: AlertMode, schedule: Schedule | null): Schedule | null | Refusal<'validation_error'> {
  const isTimed = mode === 'daily' || mode === 'weekly'
  if (schedule === null) return isTimed ? refuseField('schedule', `is required for ${mode} rules`) : null
  if (!isTimed) return refuseField('schedule', `must be null: ${mode} rules have none`)
  if (!isTimezone(schedule.timezone))
    return refuseField('schedule.timezone', 'must be the name of a time zone, such as Europe/Berlin')
  if (mode === 'daily' && schedule.weekday !== null)
    return refuseField('schedule.weekday', 'must be null: only weekly rules have one')
  if (mode === 'weekly' && schedule.weekday === null)
    return refuseField('schedule.weekday', 'is required for weekly rules')
  return schedule
}

/** What stays of a schedule when only the mode changes; may be incomplete for it. */
export function scheduleForMode(mode: AlertMode, schedule: Schedule | null): Schedule | null {
  if (mode === 'instant' || mode === 'hourly' || schedule === null) return null
  return mode === 'daily' ? { ...schedule, weekday: null } : schedule
}

/** Null for instant and disabled rules. */
export function nextRunOf(rule: Running, after: Date): Date | null {
  const timetable = rule.enabled ? timetableOf(rule) : null
  return timetable && nextRunAfter(timetable, after)
}

/** `before` is null for a new rule. */
export function beginsDigests(rule: Running, before: Running | null): boolean {
  return sendsDigests(rule) && (before === null || !sendsDigests(before))
}

function sendsDigests({ enabled, mode }: Running): boolean {
  return enabled && mode !== 'instant'
}

/** Compares the run times of two rules; `skipEmpty` does not count. */
export function runsLike(first: Running, second: Running): boolean {
  if (first.enabled !== second.enabled || first.mode !== second.mode) return false
  const [mine, others] = [first.schedule, second.schedule]
  if (mine === null || others === null) return mine === others
  return (
    mine.hour === others.hour &&
    mine.minute === others.minute &&
    mine.timezone === others.timezone &&
    mine.weekday === others.weekday
  )
}
