import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { TimeUp, withinTime } from '../../kernel/concurrency/time-limit.ts'
import { underAny } from '../../kernel/concurrency/under-any.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { cleanLine } from '../../kernel/text.ts'
import { type Cursor, type PlacePoll, type PlacesSource, SourceFault } from '../../sources/contract.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import {
  type DuePlace,
  isMostlyFailing,
  notePolledPlaces,
  type PolledPlace,
  readDuePlaces,
  readNextDuePlace,
  restHost,
} from '../../store/source/places.ts'
import { holdLease, LeaseLost, type SourceLease } from '../../store/source/source-leases.ts'
import { noteFailure, notePoll } from '../../store/source/source-state.ts'
import { readNamers } from '../../store/source/workspace-places.ts'
import type { CollectorOptions } from './collect.ts'
import { backOffMs } from './failures.ts'
import { restAfterFault, turnAfterPoll } from './place-turns.ts'

/** One of each host. */
const AT_ONCE = 32
/** Results gather this long, so that one statement writes many. */
const GATHERED_MS = 200
const LONGEST_SLEEP_MS = 30 * SECOND_MS
/** Between two requests to one host for different places. */
const HOST_GAP_MS = SECOND_MS
/** A longer poll of one place ends, so that its host's other places have a turn. Twenty pages of a slow forum fit. */
const LONGEST_POLL_MS = 5 * MINUTE_MS
const TITLE_CHARACTERS = 200

interface Ended extends PolledPlace {
  /** The host whose other places rest too. */
  resting: { host: string; until: Date } | null
}

/** Polls the feeds or forums of a platform, each by itself: a fault of one stops none of the others. */
export class PlaceAsker {
  private readonly source: PlacesSource
  private readonly lease: SourceLease
  private readonly options: CollectorOptions
  private readonly wakeUp: WakeUp
  private readonly lost = new AbortController()
  private readonly inFlight = new Map<string, Promise<void>>()
  /** Until when no other place of a host is asked, in monotonic milliseconds. */
  private readonly freeAtMs = new Map<string, number>()
  private ended: Ended[] = []
  private platform = { notedMs: Number.NEGATIVE_INFINITY, found: 0, newestAt: null as Date | null }

  constructor(source: PlacesSource, lease: SourceLease, options: CollectorOptions) {
    this.source = source
    this.lease = lease
    this.options = options
    this.wakeUp = new WakeUp(options.clock)
  }

  wake(): void {
    this.wakeUp.wake()
  }

  async run(signal: AbortSignal): Promise<void> {
    await underAny([signal, this.lost.signal], (ending) => this.askUntil(ending))
  }

  private async askUntil(ending: AbortSignal): Promise<void> {
    const { clock } = this.options
    while (!ending.aborted) {
      this.wakeUp.clear()
      const sleepMs = await this.askNext(ending).catch((error: unknown) => {
        if (error instanceof LeaseLost) this.lost.abort()
        else this.tellOfFailure(error)
        return backOffMs(error, 3)
      })
      await this.wakeUp.sleep(sleepMs, ending)
      if (!ending.aborted) await clock.wait(GATHERED_MS, ending)
    }
    await Promise.all(this.inFlight.values())
    await this.writeEnded().catch((error: unknown) => this.tellOfFailure(error))
  }

  private tellOfFailure(error: unknown): void {
    this.options.log.warn(
      { event: 'source.places_failed', err: error, platform: this.source.platform },
      'The places that are due could not be read or noted; retrying',
    )
  }

  /** Returns the milliseconds until there may be more to do. */
  private async askNext(ending: AbortSignal): Promise<number> {
    const { source, inFlight, options } = this
    await this.writeEnded()
    const room = AT_ONCE - inFlight.size
    if (room <= 0) return LONGEST_SLEEP_MS
    const at = options.clock.now()
    const busy = this.busyHosts()
    const due = await readDuePlaces(options.db, { platform: source.platform, at, except: busy, limit: 2 * room })
    for (const place of due) {
      if (inFlight.size >= AT_ONCE) break
      if (!inFlight.has(place.host)) inFlight.set(place.host, this.poll(place, ending))
    }
    if (inFlight.size >= AT_ONCE) return LONGEST_SLEEP_MS
    return await this.untilNextDue(at)
  }

  private async untilNextDue(at: Date): Promise<number> {
    const { db, clock } = this.options
    const busy = this.busyHosts()
    const next = await readNextDuePlace(db, this.source.platform, busy)
    const nextMs = next === null ? LONGEST_SLEEP_MS : next.getTime() - at.getTime()
    const free = [...this.freeAtMs.values()].map((freeMs) => freeMs - clock.monotonicMs())
    return Math.max(1, Math.min(LONGEST_SLEEP_MS, nextMs, ...free))
  }

  private busyHosts(): string[] {
    const nowMs = this.options.clock.monotonicMs()
    for (const [host, freeMs] of this.freeAtMs) if (freeMs <= nowMs) this.freeAtMs.delete(host)
    return [...this.inFlight.keys(), ...this.freeAtMs.keys()]
  }

  private async poll(place: DuePlace, ending: AbortSignal): Promise<void> {
    const { clock } = this.options
    try {
      await this.pollOnce(place, ending)
    } catch (error) {
      if (error instanceof LeaseLost) return this.lost.abort()
      if (!ending.aborted) this.noteFault(place, error)
    } finally {
      this.inFlight.delete(place.host)
      this.freeAtMs.set(place.host, clock.monotonicMs() + HOST_GAP_MS)
      this.wakeUp.wake()
    }
  }

  private async pollOnce(place: DuePlace, ending: AbortSignal): Promise<void> {
    const { source, lease, options } = this
    const { clock, metrics, store } = options
    const { platform } = source
    const at = clock.now()
    const poll = await this.read(place, at, ending)
    const matched = await this.match(place, poll)
    metrics.postsRead.inc({ platform }, poll.posts.length)
    metrics.postsMatched.inc({ platform }, matched.length)
    const ended = endedOf(source, place, poll, at)
    if (matched.length === 0) this.ended.push(ended)
    else
      await store.storePoll(platform, lease, matched, async (tx, _, last) => {
        if (last) await notePolledPlaces(tx, [ended])
      })
    this.notePosts(poll)
  }

  private async read(place: DuePlace, at: Date, ending: AbortSignal): Promise<PlacePoll> {
    const { source, options } = this
    const { clock, contextFor } = options
    const named = { address: place.address, since: place.namedAt }
    try {
      return await withinTime({ clock, limitMs: LONGEST_POLL_MS, signal: ending }, (signal) => {
        const context = contextFor({ ...source, hosts: source.hostsOf(place.address) }, at, signal)
        return source.poll(context, named, place.cursor as Cursor | null)
      })
    } catch (error) {
      if (!(error instanceof TimeUp)) throw error
      const message = `not read within ${LONGEST_POLL_MS / MINUTE_MS} minutes`
      throw new SourceFault('unavailable', message, { onlyThis: true, cause: error })
    }
  }

  private async match({ id, byOperator }: DuePlace, { posts }: PlacePoll): Promise<MatchedPost[]> {
    const { db, watch } = this.options
    if (byOperator) return posts.flatMap((post) => watch.match(post) ?? [])
    const found = posts.flatMap((post) => watch.find(post) ?? [])
    if (found.length === 0) return []
    const workspaceIds = new Set(found.flatMap(({ keywords }) => keywords.map(({ workspaceId }) => workspaceId)))
    const namers = await readNamers(db, id, [...workspaceIds])
    return found.flatMap((post) => {
      const keywords = post.keywords.filter(({ workspaceId }) => namers.has(workspaceId))
      return (keywords.length === 0 ? null : watch.admitted({ ...post, keywords })) ?? []
    })
  }

  private notePosts({ posts }: PlacePoll): void {
    const newest = posts.at(-1)?.publishedAt ?? null
    this.platform.found += posts.length
    if (newest === null) return
    this.options.onNewest?.(newest)
    if (this.platform.newestAt === null || newest > this.platform.newestAt) this.platform.newestAt = newest
  }

  private noteFault(place: DuePlace, error: unknown): void {
    const { source, options } = this
    const { platform } = source
    const ours = error instanceof DatabaseUnavailable ? 'database' : 'defect'
    const fault = error instanceof SourceFault ? error.kind : ours
    const at = options.clock.now()
    options.metrics.sourceFaults.inc({ platform, fault })
    // A common fate of feeds; the owner of the place is told in the list of places.
    options.log[fault === 'defect' ? 'warn' : 'info'](
      { event: 'source.place_failed', err: error, platform, place: place.id, host: place.host, fault },
      'A feed or forum could not be read; retrying later',
    )
    const { dueAt, hostUntil } = restAfterFault(source, place, error, at)
    const message = cleanLine(`${fault}: ${error instanceof Error ? error.message : String(error)}`).slice(0, 500)
    this.ended.push({
      id: place.id,
      polledAt: at,
      dueAt,
      cursor: null,
      title: null,
      found: false,
      error: message,
      resting: hostUntil && { host: place.host, until: hostUntil },
    })
  }

  /** Results of a failed transaction stay for the next one, as do those that come while it runs. */
  private async writeEnded(): Promise<void> {
    const { source, lease, options } = this
    const { db, clock } = options
    const { platform } = source
    const written = [...this.ended]
    const isNoted = clock.monotonicMs() - this.platform.notedMs < Math.min(MINUTE_MS, source.pollSeconds * SECOND_MS)
    if (written.length === 0 && (isNoted || this.platform.found === 0)) return
    const noted = isNoted ? null : { ...this.platform }
    await db.transaction(async (tx) => {
      if (written.length > 0) await notePolledPlaces(tx, written)
      for (const { resting } of written) if (resting) await restHost(tx, platform, resting)
      if (noted && (await isMostlyFailing(tx, platform)))
        await noteFailure(tx, platform, 'unavailable: most of its places fail', clock.now())
      else if (noted) await notePoll(tx, platform, noted.found, clock.now(), noted.newestAt)
      await holdLease(tx, lease)
    })
    this.ended = this.ended.slice(written.length)
    if (noted === null) return
    this.platform.notedMs = clock.monotonicMs()
    this.platform.found -= noted.found
  }
}

function endedOf(source: PlacesSource, place: DuePlace, poll: PlacePoll, at: Date): Ended {
  const found = poll.posts.length > 0
  const { restSeconds } = poll
  return {
    id: place.id,
    polledAt: at,
    dueAt: turnAfterPoll(source, { at, restSeconds, emptyPolls: found ? 0 : place.emptyPolls + 1 }),
    // An unchanged cursor is not written again.
    cursor: poll.cursor === place.cursor ? null : poll.cursor,
    title: poll.title === null ? null : cleanLine(poll.title).slice(0, TITLE_CHARACTERS).toWellFormed() || null,
    found,
    error: null,
    resting: null,
  }
}
