import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'

/** A rate limit of a provider, in the memory of this process. */
export interface Pace {
  /**
   * Null when the delivery may go now; else the time of its reserved slot, so that waiting deliveries return one by
   * one.
   */
  turnOf(deliveryId: Uuid, place: PacedPlace, now: Date): Date | null
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
const KEPT_MS = 10 * MINUTE_MS
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
  given: number[]
  /** In time but could not go; precede `waiting`. */
  missed: Map<Uuid, number>
  /** Of `missed`. */
  inFront: number[]
  restsUntil: number
}

export function createPace({ wholePerSecond }: PaceOptions = {}): Pace {
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
    turnOf(deliveryId, { key, isGroup }, now) {
      const nowMs = now.getTime()
      if (lines.size >= PLACES_MAX && forgottenMs <= nowMs - MINUTE_MS) {
        forgetIdle(lines, nowMs)
        forgottenMs = nowMs
      }
      const [line, rules] = [lineOf(key), isGroup ? GROUP : SINGLE]
      const turn = turnIn(line, rules, deliveryId, nowMs)
      if (turn > nowMs) return new Date(turn)
      const wholeTurn = whole === null ? nowMs : turnIn(whole.line, whole.rules, deliveryId, nowMs)
      if (wholeTurn > nowMs) return new Date(putInFront(line, rules, deliveryId, { atLeast: wholeTurn, nowMs }))
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
  return { used: [], waiting: new Map(), shiftMs: 0, given: [], missed: new Map(), inFront: [], restsUntil: 0 }
}

/** At most now when the delivery may go. */
function turnIn(line: Line, rules: Rules, id: Uuid, nowMs: number): number {
  dropUntaken(line, nowMs)
  const known = turnOf(line, id)
  if (known !== null && known > nowMs) return known
  const free = freeAfter(line, rules)
  if (known !== null) return free <= nowMs ? nowMs : putInFront(line, rules, id, { atLeast: free, nowMs })
  const given = line.given.map((value) => value + line.shiftMs)
  const turn = Math.max(nowMs, freeAfter(line, rules, [...line.inFront, ...given]))
  if (turn <= nowMs) return turn
  line.waiting.set(id, turn - line.shiftMs)
  line.given = [...line.given, turn - line.shiftMs].slice(-rules.most)
  return turn
}

function turnOf({ waiting, missed, shiftMs }: Line, id: Uuid): number | null {
  const given = waiting.get(id)
  return missed.get(id) ?? (given === undefined ? null : given + shiftMs)
}

function take(line: Line, rules: Rules, id: Uuid, nowMs: number): void {
  const turn = turnOf(line, id) ?? nowMs
  const free = freeAfter(line, rules)
  line.waiting.delete(id)
  line.missed.delete(id)
  line.used = [...line.used, nowMs - turn <= LATE_MS ? Math.max(turn, free) : nowMs].slice(-rules.most)
}

function putInFront(
  line: Line,
  rules: Rules,
  id: Uuid,
  { atLeast, nowMs }: { atLeast: number; nowMs: number },
): number {
  line.waiting.delete(id)
  line.missed.delete(id)
  const turn = Math.max(atLeast, freeAfter(line, rules, line.inFront))
  line.missed.set(id, turn)
  line.inFront = [...line.inFront, turn].slice(-rules.most)
  const room = freeAfter(line, rules, line.inFront)
  for (const given of line.waiting.values()) {
    const next = given + line.shiftMs
    if (next <= nowMs) continue
    line.shiftMs += Math.max(0, room - next)
    break
  }
  return turn
}

function freeAfter(
  { used, restsUntil }: Line,
  { spacingMs, most, withinMs }: Rules,
  ahead: readonly number[] = [],
): number {
  const lastUsed = used.at(-1) ?? 0
  const turns = [...used, ...ahead.filter((turn) => turn > lastUsed).sort((first, second) => first - second)]
  const [last, before] = [turns.at(-1), turns.at(-most)]
  return Math.max(restsUntil, last === undefined ? 0 : last + spacingMs, before === undefined ? 0 : before + withinMs)
}

/** The maps are ordered by slot. */
function dropUntaken({ waiting, missed, shiftMs }: Line, nowMs: number): void {
  for (const [turns, shift] of [
    [waiting, shiftMs],
    [missed, 0],
  ] as const) {
    for (const [id, turn] of turns) {
      if (turn + shift > nowMs - KEPT_MS) break
      turns.delete(id)
    }
  }
}

function forgetIdle(lines: Map<string, Line>, nowMs: number): void {
  for (const [key, line] of lines) {
    dropUntaken(line, nowMs)
    const isIdle =
      line.waiting.size === 0 &&
      line.missed.size === 0 &&
      (line.used.at(-1) ?? 0) < nowMs - KEPT_MS &&
      line.restsUntil < nowMs
    if (isIdle) lines.delete(key)
  }
}
