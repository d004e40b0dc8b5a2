import { toId, type Uuid } from '../../src/kernel/ids.ts'
import { type Change, heldThrough } from './changes.ts'
import { findingOf } from './finding.ts'
import { type Disturbed, type Evidence, LATE_MS, type StoredMention } from './records.ts'

/** A change counts everywhere within a second of its answer; as much again for a busy machine. */
const LIVE_MS = 2000
/** How far behind its cursor the feed is read again after a reconnection. */
const REREAD_MS = 6000

/** Whether the mentions of terms that came and went during the run are those that had to be there. */
export function judgeMoving(
  { plan, changes, disturbances }: Evidence,
  mentions: readonly StoredMention[],
  numbers: ReadonlyMap<Uuid, number>,
  timesMs: Float64Array,
) {
  const lag = lagBySecond(mentions, numbers, timesMs)
  const stored = new Map<number, Uuid[]>()
  for (const { keywordId, post } of mentions)
    if (!numbers.has(keywordId)) stored.set(post, [...(stored.get(post) ?? []), keywordId])
  const byTerm = new Map<number, Change[]>()
  for (const change of changes) byTerm.set(change.moving, [...(byTerm.get(change.moving) ?? []), change])
  const removed = removedIds(changes)
  const wrong: string[] = []
  let judged = 0
  let open = 0
  timesMs.forEach((ms, post) => {
    const moving = ms === 0 ? null : plan.movingTermIn(post)
    if (moving === null) return
    const held = heldThrough(byTerm.get(moving) ?? [], ms, lastReadMs(ms, lag, disturbances), LIVE_MS)
    if (held === undefined) {
      open += 1
      return
    }
    judged += 1
    const wanted = held === null || removed.has(held) ? [] : [held]
    // Another keyword of the term may have found the post when it was read again after its own removal; it is gone with
    // its mentions.
    const there = (stored.get(post) ?? []).map((id) => toId('kw', id))
    if (there.join() !== wanted.join())
      wrong.push(
        `term ${moving}, post ${post} at ${ms}: wanted ${wanted.join() || 'none'}, found ${there.join() || 'none'}`,
      )
  })
  const strangers = [...stored.keys()]
    .filter((post) => plan.movingTermIn(post) === null)
    .map((post) => `post ${post} holds no moving term`)
  return { wronglyMoved: findingOf([...wrong, ...strangers]), movingJudged: judged, movingOpen: open }
}

/** The keywords that were removed during the run. */
export function removedIds(changes: readonly Change[]): Set<string> {
  const removed = new Set<string>()
  const present = new Map<number, string>()
  for (const { moving, to } of changes) {
    const before = present.get(moving)
    if (to) present.set(moving, to.id)
    else if (before) removed.add(before)
  }
  return removed
}

/** The longest way from post to mention among the posts of each second. */
function lagBySecond(
  mentions: readonly StoredMention[],
  numbers: ReadonlyMap<Uuid, number>,
  timesMs: Float64Array,
): Map<number, number> {
  const lag = new Map<number, number>()
  for (const { keywordId, post, visibleMs } of mentions) {
    if (!numbers.has(keywordId)) continue
    const second = Math.floor(timesMs[post]! / 1000)
    lag.set(second, Math.max(lag.get(second) ?? 0, visibleMs - timesMs[post]!))
  }
  return lag
}

/**
 * Until when a post may have been matched, for the first time or again: shortly before a disturbance much is read
 * twice.
 */
function lastReadMs(ms: number, lag: ReadonlyMap<number, number>, disturbances: readonly Disturbed[]): number {
  const second = Math.floor(ms / 1000)
  const lagMs = Math.max(...[-1, 0, 1].map((by) => lag.get(second + by) ?? 0))
  let lastMs = ms + lagMs
  for (const { fromMs, toMs } of disturbances)
    if (ms > fromMs - REREAD_MS && ms < toMs) lastMs = Math.max(lastMs, toMs + LATE_MS)
  return lastMs + 500
}
