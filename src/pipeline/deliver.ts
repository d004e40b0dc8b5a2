import type { Channels, SendResult } from '../channels/contract.ts'
import type { Outgoing } from '../domain/delivery/envelope.ts'
import { type Facts, step, type Trigger } from '../domain/delivery/lifecycle.ts'
import { type Clock, plus, SECOND_MS } from '../kernel/clock.ts'
import { toId, type Uuid } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { isRefusal } from '../kernel/refusal.ts'
import type { Sealer } from '../kernel/sealing.ts'
import { type Mention, readMentions } from '../queries/mentions/mention-shape.ts'
import { secretBinding } from '../store/channels.ts'
import { type Database, DatabaseUnavailable } from '../store/database.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueDelivery,
  nextDeliveryDue,
  readDue,
  releaseDeliveries,
  type Settled,
  settleDeliveries,
} from '../store/deliveries.ts'
import { createBell } from './bell.ts'

export interface DeliverOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: Metrics
  channels: Channels
  sealer: Sealer
}

export interface DeliverStage {
  /** Something is due now. */
  wake(): void
  /** How many deliveries are being sent or wait for their turn. */
  readonly length: number
  /** Sends until `signal` is aborted, then waits for the requests on the wire and gives back what was not begun. */
  run(signal: AbortSignal): Promise<void>
}

/** Requests of one channel on the wire at once; a slow receiver holds up its own lane only. */
const LANE_WIDTH = 8
/** Claimed deliveries of one channel: those on the wire and as many again that wait. */
const LANE_MAX = 2 * LANE_WIDTH
/** Claimed deliveries of all channels together. */
const CLAIMED_MAX = 4000
const CLAIM_BATCH = 200
/** Two rounds of a lane of receivers that use up their ten seconds, and some more for writing down the result. */
const LEASE_MS = 30 * SECOND_MS
/** The longest time without looking for what other work, or another process, has made due. */
const LOOK_MS = 2 * SECOND_MS
/** The wait when something is due that cannot be taken now: its lane is full, or another process has it. */
const CROWDED_MS = SECOND_MS / 4
/** Results are written down together for at most this long. */
const SETTLE_MS = 5
const SETTLE_TRIES = 10

export function createDeliverStage(options: DeliverOptions): DeliverStage {
  const { db, clock, log } = options
  const lanes = new Map<Uuid, Lane>()
  /** What is in a lane. Should a lease end meanwhile, this process does not take the same delivery twice. */
  const held = new Set<Uuid>()
  const settling = createSettling(options)
  const bell = createBell(clock)

  const ended = (lane: Lane, one: ClaimedDelivery) => {
    held.delete(one.deliveryId)
    if (lane.size === 0) lanes.delete(lane.channelId)
    // A lane with room again, or the end of a full house, may let something in that waits in the database.
    if (lane.size === LANE_WIDTH || lane.size === 0) bell.ring()
  }
  const put = (ready: Ready) => {
    const { channelId, deliveryId } = ready.due
    if (held.has(deliveryId)) return
    held.add(deliveryId)
    const lane = lanes.get(channelId) ?? createLane(channelId, ended)
    lanes.set(channelId, lane)
    // What waits in its lane is read again when its turn comes: it may have been cancelled, or its channel changed.
    let waited = false
    lane.add(ready.due, async () => {
      try {
        const [present] = waited ? await readWhole([ready.due], options) : [ready]
        if (present) await settling.add(await attempt(present, options))
      } catch (error) {
        // The lease runs out and the delivery is tried again, under its own id.
        log.error({ err: error, deliveryId: toId('dlv', deliveryId) }, 'the result of a delivery could not be written down')
      }
    })
    waited = true
  }
  /** The channel that had its turn last, and what was taken since the first one had it. */
  let turn: { after: Uuid | null; taken: number } = { after: null, taken: 0 }
  /** Claims once; false when all channels have had their turn and nothing could be taken. */
  const claim = async (): Promise<boolean> => {
    const full = [...lanes.values()].filter((lane) => lane.size > LANE_MAX - LANE_WIDTH).map((lane) => lane.channelId)
    const room = Math.min(CLAIM_BATCH, CLAIMED_MAX - held.size)
    if (room <= 0) return false
    const { after, taken } = turn
    const at = clock.now()
    const { deliveries, next } = await claimDeliveries(db, {
      at,
      leasedUntil: plus(at, LEASE_MS),
      limit: room,
      exceptChannels: full,
      perChannel: LANE_WIDTH,
      after,
    })
    turn = { after: next, taken: next === null ? 0 : taken + deliveries.length }
    for (const ready of await readWhole(deliveries, options)) put(ready)
    return next !== null || taken + deliveries.length > 0
  }
  /** What is not begun goes back at once, so that another process need not wait for the requests on the wire. */
  const finish = async () => {
    const unbegun = [...lanes.values()].flatMap((lane) => lane.takeUnbegun())
    const idle = [...lanes.values()].map((lane) => lane.idle())
    await releaseDeliveries(db, unbegun).catch((error: unknown) => log.warn({ err: error }, 'deliveries could not be given back; their leases run out'))
    await Promise.all(idle)
  }
  return {
    wake: bell.ring,
    get length() {
      return held.size
    },
    async run(signal) {
      while (!signal.aborted) {
        try {
          // A ring in the middle of the turns may be for a channel that has had its own.
          if (turn.after === null) bell.hush()
          if (!(await claim())) await bell.sleep(await untilNext(options), signal)
        } catch (error) {
          if (signal.aborted) break
          log.warn({ err: error }, 'could not look for deliveries; trying again')
          await clock.wait(SECOND_MS, signal)
        }
      }
      await finish()
    },
  }
}

async function untilNext({ db, clock }: DeliverOptions): Promise<number> {
  const due = await nextDeliveryDue(db, clock.now())
  if (!due) return LOOK_MS
  const remainingMs = due.getTime() - clock.now().getTime()
  return remainingMs > 0 ? Math.min(LOOK_MS, remainingMs) : CROWDED_MS
}

/** A delivery with the mention that it carries, when it carries one that still exists. */
interface Ready {
  due: DueDelivery
  mention: Mention | null
}

/** What of the claimed deliveries is still to be sent, whole. */
async function readWhole(taken: readonly ClaimedDelivery[], { db, clock }: DeliverOptions): Promise<Ready[]> {
  if (taken.length === 0) return []
  const due = (await readDue(db, taken)).filter((one) => one.state.status === 'pending')
  const wanted = due.flatMap((one) => (one.mentionId ? [{ workspaceId: one.workspaceId, mentionId: one.mentionId }] : []))
  const mentions = await readMentions(db, wanted, clock.now())
  return due.map((one) => ({ due: one, mention: one.mentionId ? (mentions.get(one.mentionId) ?? null) : null }))
}

/** The deliveries of one channel that this process has claimed. */
interface Lane {
  readonly channelId: Uuid
  /** On the wire and waiting. */
  readonly size: number
  /** Calls `send` at once when there is room on the wire, else later. It never rejects. */
  add(one: ClaimedDelivery, send: () => Promise<void>): void
  /** Takes out what is not on the wire yet. */
  takeUnbegun(): ClaimedDelivery[]
  /** Resolves when nothing is on the wire. */
  idle(): Promise<void>
}

function createLane(channelId: Uuid, ended: (lane: Lane, one: ClaimedDelivery) => void): Lane {
  const waiting: { one: ClaimedDelivery; send: () => Promise<void> }[] = []
  const onTheWire = new Set<Promise<void>>()
  const advance = () => {
    while (onTheWire.size < LANE_WIDTH && waiting.length > 0) {
      const { one, send } = waiting.shift()!
      const running = send().finally(() => {
        onTheWire.delete(running)
        advance()
        ended(lane, one)
      })
      onTheWire.add(running)
    }
  }
  const lane: Lane = {
    channelId,
    get size() {
      return waiting.length + onTheWire.size
    },
    add(one, send) {
      waiting.push({ one, send })
      advance()
    },
    takeUnbegun: () => waiting.splice(0).map(({ one }) => one),
    async idle() {
      while (onTheWire.size > 0) await Promise.all(onTheWire)
    },
  }
  return lane
}

/** Sends once and says what that makes of the delivery. */
async function attempt({ due, mention }: Ready, options: DeliverOptions): Promise<Settled> {
  const trigger = await triggerOf(due, mention, options).catch((error: unknown): Trigger => {
    options.log.error({ err: error, deliveryId: toId('dlv', due.deliveryId) }, 'a delivery could not be attempted')
    return { kind: 'temporary_failure', reason: 'the attempt failed inside Earshot', responseStatus: null, retryAfterSeconds: null }
  })
  const facts: Facts = { jitter: Math.random(), channelEnabled: due.channelEnabled, oversized: false, hasReplay: false }
  const next = step(due.state, trigger, facts, options.clock.now())
  const state = next.kind === 'moved' ? next.state : due.state
  options.log.debug(
    { deliveryId: toId('dlv', due.deliveryId), channelId: toId('dest', due.channelId), status: state.status, attempts: state.attempts, error: state.error },
    'delivery',
  )
  return { workspaceId: due.workspaceId, deliveryId: due.deliveryId, mentionId: due.mentionId, state }
}

async function triggerOf(due: DueDelivery, mention: Mention | null, options: DeliverOptions): Promise<Trigger> {
  if (!due.channelEnabled) return { kind: 'cancel', reason: 'the channel is switched off' }
  if (due.mentionId && mention?.status !== 'open') return { kind: 'cancel', reason: 'the mention is closed or gone' }
  const channel = options.channels.get(due.channelKind)
  if (!channel) return { kind: 'permanent_failure', reason: `channels of kind ${due.channelKind} are not set up on this installation`, responseStatus: null }
  const secret = due.secretSealed === null ? null : options.sealer.open(due.secretSealed, secretBinding(due.workspaceId, due.channelId))
  if (due.secretSealed !== null && secret === null)
    return { kind: 'hold', reason: 'the secret of the channel cannot be opened with the key of this installation' }
  const config = channel.sender.readConfig({ ...due.channelConfig, ...(secret === null ? {} : { secret }) })
  if (isRefusal(config)) return { kind: 'permanent_failure', reason: config.message, responseStatus: null }
  const request = channel.sender.render(outgoingOf(due, mention), config, options.clock.now())
  // A request that is on the wire is always brought to its end: the receiver may have it already.
  return triggerFrom(await channel.sender.send(request, new AbortController().signal))
}

function outgoingOf(due: DueDelivery, mention: Mention | null): Outgoing {
  return {
    id: toId('dlv', due.deliveryId),
    event: due.event,
    alert: due.alert && { id: toId('feed', due.alert.id), name: due.alert.name },
    data: mention ?? due.data ?? {},
  }
}

function triggerFrom(result: SendResult): Trigger {
  if (result.outcome === 'delivered') return { kind: 'accepted', responseStatus: result.status }
  if (result.outcome === 'temporary')
    return { kind: 'temporary_failure', reason: result.reason, responseStatus: result.status, retryAfterSeconds: result.retryAfterSeconds }
  return { kind: 'permanent_failure', reason: result.reason, responseStatus: result.status }
}

/** Writes results down in groups: one transaction for all that end within a few milliseconds. */
function createSettling({ db, clock, log }: DeliverOptions) {
  let waiting: { settled: Settled; done: () => void; failed: (error: unknown) => void }[] = []
  let gathering = false

  // What was accepted must be known before its lease ends, or it is sent again: a short outage is waited out.
  const persist = async (settled: readonly Settled[]) => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await db.transaction((tx) => settleDeliveries(tx, settled))
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || tried === SETTLE_TRIES) throw error
        await clock.wait(SECOND_MS)
      }
    }
  }
  const flush = async () => {
    await clock.wait(SETTLE_MS)
    const group = waiting
    waiting = []
    gathering = false
    try {
      await persist(group.map(({ settled }) => settled))
      for (const { done } of group) done()
    } catch (error) {
      log.warn({ err: error, deliveries: group.length }, 'could not write the results of deliveries down')
      for (const { failed } of group) failed(error)
    }
  }
  return {
    /** Resolves when the result is written down. */
    add: (settled: Settled) =>
      new Promise<void>((done, failed) => {
        waiting.push({ settled, done, failed })
        if (gathering) return
        gathering = true
        void flush()
      }),
  }
}
