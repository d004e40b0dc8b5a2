import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { Batcher } from '../../kernel/concurrency/batcher.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import type { Database } from '../../store/database.ts'
import { claimDeliveries, nextDeliveryDue, releaseDeliveries } from '../../store/delivery/delivery-claims.ts'
import type { ClaimedDelivery } from '../../store/delivery/due-deliveries.ts'
import type { Admission, NewDelivery } from '../../store/delivery/rule-deliveries.ts'
import { type AttemptOptions, createAttempt } from './attempt.ts'
import { createBacklog } from './backlog.ts'
import { createCounts } from './counts.ts'
import { type Held, heldFromMemory, readAgain, readClaimed } from './held.ts'
import { ChannelHosts, HostPace } from './host-pace.ts'
import { createLanes, LANE_WIDTH, type Passed } from './lanes.ts'
import { createSettling } from './settling.ts'

export interface DeliverOptions extends AttemptOptions {
  db: Database
  /** Requests that one host of webhooks gets in a second at most; as many as there are where it is absent. */
  perHostSecond?: number
}

/** Deliveries that a transaction is writing down, some of them to be sent from memory. */
export interface Intake extends Admission {
  /** They are committed: sends what was admitted. */
  complete(deliveries: readonly NewDelivery[]): void
  /** They are not, or nobody knows: gives the reserved room free. Does nothing after `complete`. */
  abandon(): void
}

export interface DeliverStage {
  /** Something is due now. */
  wake(): void
  /** To be called at the beginning of a transaction that makes deliveries. */
  begin(): Intake
  /**
   * To be waited for before work is begun that makes deliveries: resolves at once unless many are in hand, else when
   * they have become fewer, or do not become fewer. What is made faster than it can be sent has to go by way of the
   * queue.
   */
  pace(signal: AbortSignal): Promise<void>
  /** How many deliveries are being sent, wait for their turn or for being written down. */
  readonly length: number
  /** Sends until `signal` is aborted, then waits for the requests on the wire and gives back what was not begun. */
  run(signal: AbortSignal): Promise<void>
}

/** Deliveries of all channels in hand together, those that are being written down to be sent from memory included. */
const HELD_MAX = 8000
/**
 * The share of one workspace: with so many in hand nothing more of it is admitted, nor claimed. A claim that begins
 * below may bring it past that by what one claim takes.
 */
const HELD_OF_WORKSPACE_MAX = 1000
const CLAIM_BATCH = 200
/** With more in hand, those who make deliveries wait; no single workspace has more, claims included. */
const PACE_AT = HELD_OF_WORKSPACE_MAX + CLAIM_BATCH
/**
 * How often they look whether it goes on, how many deliveries have to end between two looks, and for how long they wait
 * at most.
 */
const PACE_LOOK_MS = 50
const PACE_ENDED_MIN = 5
const PACE_MS = SECOND_MS / 4
/**
 * Two rounds of a lane of receivers that use up their ten seconds, and some more for writing down the result. With the
 * look that finds it, what a process held when it died is taken up within half a minute.
 */
const LEASE_MS = 28 * SECOND_MS
/** An attempt that cannot end within its lease is not begun: somebody else might have begun it meanwhile. */
const ATTEMPT_MS = 12 * SECOND_MS
/** The longest time without looking for what other work, or another process, has made due. */
const LOOK_MS = 2 * SECOND_MS
/** The wait when something is due that cannot be taken now: its lane is full, or another process has it. */
const CROWDED_MS = SECOND_MS / 4

/**
 * Sends what is due. Deliveries come straight from the transactions that make them, and from claims on the queue, which
 * find what was left there: retries, what did not fit into its lane, what other processes left. A channel of which
 * something waits in the queue gets nothing from memory until that is claimed, so that its order stays the one of age.
 * Long because the steps share what is in hand.
 */
export function createDeliverStage(options: DeliverOptions): DeliverStage {
  const { db, clock, log, metrics, perHostSecond } = options
  /** What is in hand. Should a lease end meanwhile, this process does not take the same delivery twice. */
  const held = new Map<Uuid, Held>()
  const ofWorkspace = createCounts()
  const reserved = createCounts()
  const backlog = createBacklog()
  const wakeUp = new WakeUp(clock)
  const attempt = createAttempt(options)
  const settling = createSettling<Held>({
    ...options,
    onEnd(one, error) {
      // The lease runs out and the delivery is tried again, under its own id.
      if (error !== null)
        log.error(
          { err: error, deliveryId: toId('dlv', one.deliveryId) },
          'the result of a delivery could not be written down',
        )
      finish(one)
    },
  })
  const confirm = new Batcher((group: readonly Held[]) => readAgain(group, options))
  /** Before the queue was looked through once, nobody knows what waits there; and at the end nothing more is taken. */
  let admitting = false
  let full = false
  /** Deliveries that were in hand and are not any more. */
  let ended = 0
  const inHand = () => held.size + reserved.total
  watchQueue(metrics, 'deliver', HELD_MAX, inHand)

  const finish = (one: Held) => {
    held.delete(one.deliveryId)
    ofWorkspace.add(one.workspaceId, -1)
    ended += 1
    if (!full || held.size > HELD_MAX - CLAIM_BATCH) return
    full = false
    wakeUp.wake()
  }
  const drop = (one: Held): null => {
    finish(one)
    return null
  }
  const giveBack = new Batcher(async (group: readonly Held[]) => {
    await releaseDeliveries(db, group).catch((error: unknown) =>
      log.warn({ err: error }, 'deliveries could not be given back; their leases run out'),
    )
    return group
  })
  const hosts = new ChannelHosts()
  const hostPace = perHostSecond === undefined ? null : new HostPace({ clock, perSecond: perHostSecond })
  /** Null when there is nothing to wait for at the receiver's host. */
  const turnAtHost = ({ workspaceId, channelId, due: { channel } }: Held): Promise<boolean> | null => {
    const host = hostPace === null ? null : hosts.of(channelId, channel)
    return host === null ? null : hostPace!.take(host, workspaceId)
  }
  const send = async (one: Held, waited: boolean): Promise<Passed | null> => {
    try {
      const turn = turnAtHost(one)
      const beganMs = clock.monotonicMs()
      const isTurn = turn === null || (await turn)
      const waitedMs = turn === null ? 0 : clock.monotonicMs() - beganMs
      // What waited in its lane, or for its host, may have been cancelled meanwhile, or its channel changed.
      const present = isTurn && (waited || turn !== null) ? await confirm.run(one) : one
      if (present === null) return drop(one)
      if (!isTurn || clock.now().getTime() > one.leasedUntil.getTime() - ATTEMPT_MS) {
        backlog.add(one.channelId)
        await giveBack.run(one)
        return drop(one)
      }
      const { settled, answered, durationMs } = await attempt(present.due, present.mention?.() ?? null)
      settling.add(settled, one)
      // A lane whose host is crowded takes less in hand, as one does whose receiver is slow.
      return durationMs === null ? null : { answered, durationMs: durationMs + waitedMs }
    } catch (error) {
      log.warn(
        { err: error, deliveryId: toId('dlv', one.deliveryId) },
        'a delivery could not be read again; it is tried after its lease',
      )
      return drop(one)
    }
  }
  const lanes = createLanes({ send, onRoom: (channelId) => void (backlog.has(channelId) && wakeUp.wake()) })

  /** What was claimed and is in hand already, its lease having ended, is not taken twice; it has the new lease. */
  const renewed = (deliveryId: Uuid, leasedUntil: Date): boolean => {
    const known = held.get(deliveryId)
    if (known) known.leasedUntil = leasedUntil
    return known !== undefined
  }
  const put = (one: Held) => {
    if (renewed(one.deliveryId, one.leasedUntil)) return
    held.set(one.deliveryId, one)
    ofWorkspace.add(one.workspaceId, 1)
    lanes.add(one)
  }
  const fits = (workspaceId: Uuid, channelId: Uuid): boolean => {
    if (!admitting || backlog.has(channelId)) return false
    const share = Math.max(inHand() / HELD_MAX, ofWorkspace.of(workspaceId) / HELD_OF_WORKSPACE_MAX)
    if (lanes.sizeOf(channelId) + reserved.of(channelId) >= Math.min(lanes.capacityOf(channelId), mostOfLane(share)))
      return false
    if (ofWorkspace.of(workspaceId) >= HELD_OF_WORKSPACE_MAX) return false
    if (inHand() < HELD_MAX) return true
    full = true
    return false
  }
  const begin = (): Intake => {
    const leasedUntil = plus(clock.now(), LEASE_MS)
    const taken: [workspaceId: Uuid, channelId: Uuid][] = []
    const left: Uuid[] = []
    let isOver = false
    const over = (committed: boolean) => {
      isOver = true
      for (const [workspaceId, channelId] of taken) {
        reserved.add(channelId, -1)
        ofWorkspace.add(workspaceId, -1)
      }
      for (const channelId of left) backlog.written(channelId, committed)
    }
    return {
      leasedUntil,
      admits(workspaceId, channelId) {
        const yes = fits(workspaceId, channelId)
        if (yes) {
          taken.push([workspaceId, channelId])
          reserved.add(channelId, 1)
          ofWorkspace.add(workspaceId, 1)
        } else {
          left.push(channelId)
          backlog.writing(channelId)
        }
        return yes
      },
      complete(deliveries) {
        if (isOver) return
        over(true)
        const admitted = heldFromMemory(
          deliveries.filter((one) => one.admitted),
          leasedUntil,
          options,
        )
        if (admitting) for (const one of admitted) put(one)
        else for (const one of admitted) void giveBack.run(one)
        if (left.some((channelId) => lanes.sizeOf(channelId) < lanes.capacityOf(channelId))) wakeUp.wake()
      },
      abandon() {
        if (!isOver) over(false)
      },
    }
  }
  /** The channel that had its turn last, and what was taken since the first one had it. */
  let turn: { after: Uuid | null; taken: number } = { after: null, taken: 0 }
  /** Claims once; false when all channels have had their turn and nothing could be taken. */
  const claim = async (): Promise<boolean> => {
    const limit = Math.min(CLAIM_BATCH, HELD_MAX - inHand())
    if (limit <= 0) {
      full = true
      return false
    }
    const limited = lanes.limited(mostOfLane(inHand() / HELD_MAX))
    const mark = backlog.mark()
    const { after, taken } = turn
    const at = clock.now()
    const leasedUntil = plus(at, LEASE_MS)
    const claimed = await claimDeliveries(db, {
      at,
      leasedUntil,
      limit,
      exceptChannels: limited.full,
      exceptWorkspaces: ofWorkspace.atLeast(HELD_OF_WORKSPACE_MAX),
      slowChannels: limited.slow,
      perChannel: LANE_WIDTH,
      after,
    })
    const { deliveries, next } = claimed
    turn = { after: next, taken: next === null ? 0 : taken + deliveries.length }
    noteTurn({ after, limited, limit, mark, ...claimed })
    // Before anything is waited for: a result that is written down meanwhile takes its delivery out of hand, and what
    // was read of it before would then look like one that nobody has sent yet.
    const fresh = deliveries.filter(({ deliveryId }) => !renewed(deliveryId, leasedUntil))
    const ready = await readClaimed(fresh, leasedUntil, options).catch(async (error: unknown) => {
      // Nobody could say what to send: it need not wait for the end of the lease.
      await releaseDeliveries(
        db,
        fresh.map((one) => ({ ...one, leasedUntil })),
      )
      throw error
    })
    for (const one of ready) put(one)
    if (next === null && !admitting) admitting = true
    return next !== null || taken + deliveries.length > 0
  }
  /** Which channels have something left in the queue, and which have not, after a claim. */
  const noteTurn = ({ after, next, limit, limited, mark, deliveries, passedOver }: Turn) => {
    const counts = createCounts()
    for (const { channelId } of deliveries) counts.add(channelId, 1)
    const cutOff = deliveries.length === limit
    const notLookedAt = new Set([...limited.full, ...passedOver])
    const slow = new Set(limited.slow)
    const hasMore = (channelId: Uuid) =>
      counts.of(channelId) >= (slow.has(channelId) ? 1 : LANE_WIDTH) || (cutOff && channelId === next)
    backlog.seenThrough(mark, (channelId) => {
      const wasLookedAt =
        (after === null || channelId > after) && (next === null || channelId <= next) && !notLookedAt.has(channelId)
      return wasLookedAt && !hasMore(channelId)
    })
    for (const { channelId } of deliveries) if (hasMore(channelId) && !backlog.has(channelId)) backlog.add(channelId)
  }
  /**
   * What is in hand beyond what is usual. What receivers hold up that are known to fail or hang is not among it,
   * however many they are.
   */
  const tooMany = () => (inHand() > PACE_AT ? inHand() - lanes.sizeOfSlow() - PACE_AT : 0)
  /** Receivers that hang hold back nobody: what does not move is not waited for, nor more than what was too much. */
  const pace = async (signal: AbortSignal) => {
    const untilMs = clock.monotonicMs() + PACE_MS
    const enough = ended + tooMany()
    while (tooMany() > 0 && ended < enough && clock.monotonicMs() < untilMs && !signal.aborted) {
      const before = ended
      await clock.wait(PACE_LOOK_MS, signal)
      if (ended - before < PACE_ENDED_MIN) return
    }
  }
  /** What is not begun goes back at once, so that another process need not wait for the requests on the wire. */
  const end = async () => {
    admitting = false
    settling.hurry()
    hostPace?.end()
    await Promise.all(lanes.takeUnbegun().map(async (one) => finish(await giveBack.run(one))))
    await lanes.idle()
    await settling.idle()
  }
  return {
    wake: wakeUp.wake,
    begin,
    pace,
    get length() {
      return inHand()
    },
    async run(signal) {
      while (!signal.aborted) {
        try {
          // A ring in the middle of the turns may be for a channel that has had its own.
          if (turn.after === null) wakeUp.clear()
          if (!(await claim())) await wakeUp.sleep(await untilNext(options), signal)
        } catch (error) {
          if (signal.aborted) break
          log.warn({ err: error }, 'could not look for deliveries; trying again')
          await clock.wait(SECOND_MS, signal)
        }
      }
      await end()
    },
  }
}

/**
 * The fuller the house, the less of it one lane may have: lanes whose receivers have just begun to hang must not fill
 * it.
 */
function mostOfLane(share: number): number {
  if (share < 1 / 2) return Number.POSITIVE_INFINITY
  return share < 3 / 4 ? 2 * LANE_WIDTH : LANE_WIDTH
}

interface Turn {
  after: Uuid | null
  next: Uuid | null
  limit: number
  limited: { full: readonly Uuid[]; slow: readonly Uuid[] }
  mark: number
  deliveries: readonly ClaimedDelivery[]
  passedOver: readonly Uuid[]
}

async function untilNext({ db, clock }: DeliverOptions): Promise<number> {
  const due = await nextDeliveryDue(db)
  if (!due) return LOOK_MS
  const remainingMs = due.getTime() - clock.now().getTime()
  return remainingMs > 0 ? Math.min(LOOK_MS, remainingMs) : CROWDED_MS
}
