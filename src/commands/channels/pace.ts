import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'

/** A rate limit of a provider, in the memory of this process. */
export interface SendingPace {
  /**
   * Null when the delivery may go now; else the time of its reserved slot, so that waiting deliveries return one by
   * one.
   */
  slotOf(deliveryId: Uuid, place: PacedPlace, now: Date): Date | null
  /** Moves reserved slots behind that time. */
  rest(key: string, until: Date): void
}

export interface PacedPlace {
  key: string
  /** Limited to GROUP_MAX_A_MINUTE, besides one a second. */
  isGroup: boolean
}

export interface PaceOptions {
  /** Unlimited by default. */
  wholePerSecond?: number
}

export const SPACING_MS = SECOND_MS
export const GROUP_MAX_A_MINUTE = 20
/** Later, the reserved slot is dropped. */
const RESERVED_MS = 10 * MINUTE_MS
/** A delivery at most this late keeps its slot, so that slow polling loses none. */
const LATE_MS = SPACING_MS / 2
/** Above this, idle places are dropped. */
const PLACES_MAX = 10_000

/** One in `spacingMs`, and `most` in `withinMs`. */
interface Rules {
  spacingMs: number
  most: number
  withinMs: number
}

const SINGLE: Rules = { spacingMs: SPACING_MS, most: 1, withinMs: SPACING_MS }
const GROUP: Rules = { spacingMs: SPACING_MS, most: GROUP_MAX_A_MINUTE, withinMs: MINUTE_MS }

/** All times in milliseconds, lists oldest first. */
interface Line {
  used: number[]
  /** Reserved slots by delivery, relative to `shiftMs`. */
  waiting: Map<Uuid, number>
  shiftMs: number
  /** As in `waiting`. */
  reserved: number[]
  /** In time but could not go; precede `waiting`. */
  missed: Map<Uuid, number>
  /** Of `missed`. */
  missedSlots: number[]
  restsUntil: number
}

export function createPace({ wholePerSecond }: PaceOptions = {}): SendingPace {
  const lines = new Map<string, Line>()
  const whole =
    wholePerSecond === undefined
      ? null
      : { line: newLine(), rules: { spacingMs: 0, most: wholePerSecond, withinMs: SECOND_MS } }
  let forgottenMs = 0
  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? newLine()
    lines.set(key, line)
    return line
  }
  return {
    slotOf(deliveryId, { key, isGroup }, now) {
      const nowMs = now.getTime()
      if (lines.size >= PLACES_MAX && forgottenMs <= nowMs - MINUTE_MS) {
        forgetIdle(lines, nowMs)
        forgottenMs = nowMs
      }
      const [line, rules] = [lineOf(key), isGroup ? GROUP : SINGLE]
      const slot = slotIn(line, rules, deliveryId, nowMs)
      if (slot > nowMs) return new Date(slot)
      const wholeSlot = whole === null ? nowMs : slotIn(whole.line, whole.rules, deliveryId, nowMs)
      if (wholeSlot > nowMs) return new Date(reserveAmongMissed(line, rules, deliveryId, { atLeast: wholeSlot, nowMs }))
      take(line, rules, deliveryId, nowMs)
      if (whole !== null) take(whole.line, whole.rules, deliveryId, nowMs)
      return null
    },
    rest(key, until) {
      const line = lineOf(key)
      line.restsUntil = Math.max(line.restsUntil, until.getTime())
    },
  }
}

function newLine(): Line {
  return { used: [], waiting: new Map(), shiftMs: 0, reserved: [], missed: new Map(), missedSlots: [], restsUntil: 0 }
}

/** At most now when the delivery may go. */
function slotIn(line: Line, rules: Rules, id: Uuid, nowMs: number): number {
  dropExpired(line, nowMs)
  const known = reservedSlot(line, id)
  if (known !== null && known > nowMs) return known
  const free = freeAfter(line, rules)
  if (known !== null) return free <= nowMs ? nowMs : reserveAmongMissed(line, rules, id, { atLeast: free, nowMs })
  const reserved = line.reserved.map((value) => value + line.shiftMs)
  const slot = Math.max(nowMs, freeAfter(line, rules, [...line.missedSlots, ...reserved]))
  if (slot <= nowMs) return slot
  line.waiting.set(id, slot - line.shiftMs)
  line.reserved = [...line.reserved, slot - line.shiftMs].slice(-rules.most)
  return slot
}

function reservedSlot({ waiting, missed, shiftMs }: Line, id: Uuid): number | null {
  const reserved = waiting.get(id)
  return missed.get(id) ?? (reserved === undefined ? null : reserved + shiftMs)
}

function take(line: Line, rules: Rules, id: Uuid, nowMs: number): void {
  const slot = reservedSlot(line, id) ?? nowMs
  const free = freeAfter(line, rules)
  line.waiting.delete(id)
  line.missed.delete(id)
  line.used = [...line.used, nowMs - slot <= LATE_MS ? Math.max(slot, free) : nowMs].slice(-rules.most)
}

function reserveAmongMissed(
  line: Line,
  rules: Rules,
  id: Uuid,
  { atLeast, nowMs }: { atLeast: number; nowMs: number },
): number {
  line.waiting.delete(id)
  line.missed.delete(id)
  const slot = Math.max(atLeast, freeAfter(line, rules, line.missedSlots))
  line.missed.set(id, slot)
  line.missedSlots = [...line.missedSlots, slot].slice(-rules.most)
  const room = freeAfter(line, rules, line.missedSlots)
  for (const reserved of line.waiting.values()) {
    const next = reserved + line.shiftMs
    if (next <= nowMs) continue
    line.shiftMs += Math.max(0, room - next)
    break
  }
  return slot
}

function freeAfter(
  { used, restsUntil }: Line,
  { spacingMs, most, withinMs }: Rules,
  ahead: readonly number[] = [],
): number {
  const lastUsed = used.at(-1) ?? 0
  const slots = [...used, ...ahead.filter((slot) => slot > lastUsed).sort((first, second) => first - second)]
  const [last, before] = [slots.at(-1), slots.at(-most)]
  return Math.max(restsUntil, last === undefined ? 0 : last + spacingMs, before === undefined ? 0 : before + withinMs)
}

/** The maps are ordered by slot. */
function dropExpired({ waiting, missed, shiftMs }: Line, nowMs: number): void {
  for (const [slots, shift] of [
    [waiting, shiftMs],
    [missed, 0],
  ] as const) {
    for (const [id, slot] of slots) {
      if (slot + shift > nowMs - RESERVED_MS) break
      slots.delete(id)
    }
  }
}

function forgetIdle(lines: Map<string, Line>, nowMs: number): void {
  for (const [key, line] of lines) {
    dropExpired(line, nowMs)
    const isIdle =
      line.waiting.size === 0 &&
      line.missed.size === 0 &&
      (line.used.at(-1) ?? 0) < nowMs - RESERVED_MS &&
      line.restsUntil < nowMs
    if (isIdle) lines.delete(key)
  }
}
