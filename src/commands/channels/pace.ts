import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'

/** When messages may go through a provider that takes only so many. Kept in memory, of this process alone. */
export interface Pace {
  /**
   * Null when the delivery may go now, which then counts as done; else when it may. A delivery that comes back then
   * finds its turn kept, so that many that wait come back one by one.
   */
  turnOf(deliveryId: Uuid, place: PacedPlace, now: Date): Date | null
  /** The place takes nothing more until then; turns that were given before then are put behind it. */
  rest(key: string, until: Date): void
}

/** Where messages go one after the other, such as a chat. */
export interface PacedPlace {
  key: string
  /** Takes only GROUP_MAX_A_MINUTE, besides one a second. */
  isGroup: boolean
}

export interface PaceOptions {
  /** How many messages a second all places take together; no limit unless told. */
  wholePerSecond?: number
}

export const SPACING_MS = SECOND_MS
export const GROUP_MAX_A_MINUTE = 20
/** Whoever has not come for a turn for so long does not come any more. */
const KEPT_MS = 10 * MINUTE_MS
/**
 * Who comes so much too late takes the turn all the same, so that a queue which is looked at now and then loses no
 * turns.
 */
const LATE_MS = SPACING_MS / 2
/** Places that are kept in mind; beyond that those are forgotten, now and then, that nothing waits for. */
const PLACES_MAX = 10_000

/** What a line lets through: one in `spacingMs`, and `most` in `withinMs`. */
interface Rules {
  spacingMs: number
  most: number
  withinMs: number
}

const SINGLE: Rules = { spacingMs: SPACING_MS, most: 1, withinMs: SPACING_MS }
const GROUP: Rules = { spacingMs: SPACING_MS, most: GROUP_MAX_A_MINUTE, withinMs: MINUTE_MS }

/** Those who wait for one place. All times are in milliseconds, and of every list oldest first. */
interface Line {
  /** The last turns that were used. */
  used: number[]
  /** Who waits, by when their turn was when it was given; `shiftMs` later by now. */
  waiting: Map<Uuid, number>
  shiftMs: number
  /** The last turns that were given, as in `waiting`. */
  given: number[]
  /** Who came for their turn and could not go after all; they go before the others, who make room by moving back. */
  missed: Map<Uuid, number>
  /** The last turns that were given to those. */
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

/** When it is the turn of a delivery: by now when it may go, else later, which is kept for it. */
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

/** Uses the turn of a delivery up, which may go. */
function take(line: Line, rules: Rules, id: Uuid, nowMs: number): void {
  const turn = turnOf(line, id) ?? nowMs
  const free = freeAfter(line, rules)
  line.waiting.delete(id)
  line.missed.delete(id)
  line.used = [...line.used, nowMs - turn <= LATE_MS ? Math.max(turn, free) : nowMs].slice(-rules.most)
}

/** Gives a delivery whose turn has come the next one that nobody in front has, and answers it. */
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

/**
 * When the line lets the next one through: after the turns that were used, and after these as far as they lie ahead.
 */
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

/** Those who wait stand in the order of their turns. */
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
