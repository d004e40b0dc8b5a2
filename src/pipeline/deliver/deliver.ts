import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { Batcher } from '../../kernel/concurrency/batcher.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import type { Database } from '../../store/database.ts'
import { nextDeliveryDue, releaseDeliveries } from '../../store/delivery/delivery-claims.ts'
import type { NewDelivery } from '../../store/delivery/rule-deliveries.ts'
import { type AttemptOptions, type AttemptRun, createAttempt } from './attempt.ts'
import { Backlog } from './backlog.ts'
import { ChannelHosts, HostPace } from './host-pace.ts'
import { IN_FLIGHT_MAX, InFlightDeliveries } from './in-flight.ts'
import { type LaneResult, mostOfLane } from './lane.ts'
import { Lanes } from './lanes.ts'
import { keepPace } from './pace.ts'
import { QueueClaims } from './queue-claims.ts'
import { type InFlight, readAgain, readFromMemory } from './read-deliveries.ts'
import { ResultRecorder } from './result-recorder.ts'
import { type Intake, type IntakeParts, TransactionIntake } from './transaction-intake.ts'

export interface DeliverOptions extends AttemptOptions {
  db: Database
  /** Unlimited when absent. */
  perHostSecond?: number
}

/**
 * Two rounds at the timeout of ten seconds, plus recording. Deliveries of a dead process resume within half a minute.
 */
const LEASE_MS = 28 * SECOND_MS
/** An attempt that may outlast its lease is not begun, since another process may begin it too. */
const ATTEMPT_MS = 12 * SECOND_MS
const LOOK_MS = 2 * SECOND_MS
/** Wait while a due delivery cannot be taken: its lane is full or another process has it. */
const CROWDED_MS = SECOND_MS / 4

/**
 * Sends due deliveries: new ones from memory (TransactionIntake); retries, overflow and those of dead processes from
 * the queue (QueueClaims). While the queue holds deliveries of a channel, none of it is sent from memory, which keeps
 * the order by age.
 */
export class DeliverStage {
  private readonly options: DeliverOptions
  private readonly wakeUp: WakeUp
  private readonly backlog = new Backlog()
  private readonly inFlight: InFlightDeliveries
  private readonly lanes: Lanes<InFlight>
  private readonly claims: QueueClaims
  private readonly intakeParts: IntakeParts
  private readonly recorder: ResultRecorder<InFlight>
  private readonly attempt: AttemptRun
  private readonly hosts = new ChannelHosts()
  private readonly hostPace: HostPace | null
  private readonly rereading: Batcher<InFlight, InFlight | null>
  private readonly releasing: Batcher<InFlight, InFlight>
  /** False before the first round, when the queue is unknown, and at the end. */
  private isAdmitting = false

  constructor(options: DeliverOptions) {
    const { clock, metrics, perHostSecond } = options
    this.options = options
    this.wakeUp = new WakeUp(clock)
    this.inFlight = new InFlightDeliveries(this.wakeUp.wake)
    this.lanes = new Lanes({
      send: (delivery, waited) => this.send(delivery, waited),
      onRoom: (channelId) => void (this.backlog.has(channelId) && this.wakeUp.wake()),
    })
    const { inFlight, lanes, backlog } = this
    this.claims = new QueueClaims({ reading: options, inFlight, lanes, backlog, leaseMs: LEASE_MS })
    this.intakeParts = {
      inFlight,
      backlog,
      fits: (workspaceId, channelId) => this.fits(workspaceId, channelId),
      onAdmitted: (deliveries, leasedUntil) => this.takeFromMemory(deliveries, leasedUntil),
      onLeft: (channelIds) => this.wakeIfRoom(channelIds),
    }
    this.recorder = new ResultRecorder({ ...options, onEnd: (delivery, error) => this.finish(delivery, error) })
    this.attempt = createAttempt(options)
    this.hostPace = perHostSecond === undefined ? null : new HostPace({ clock, perSecond: perHostSecond })
    this.rereading = new Batcher((batch) => readAgain(batch, options))
    this.releasing = new Batcher((batch) => this.release(batch))
    watchQueue(metrics, 'deliver', IN_FLIGHT_MAX, () => inFlight.size)
  }

  readonly wake = (): void => this.wakeUp.wake()

  get length(): number {
    return this.inFlight.size
  }

  /** Waits briefly while many are in flight, so that work does not outrun sending. */
  async pace(signal: AbortSignal): Promise<void> {
    await keepPace({ clock: this.options.clock, inFlight: this.inFlight, lanes: this.lanes }, signal)
  }

  begin(): Intake {
    return new TransactionIntake(this.intakeParts, plus(this.options.clock.now(), LEASE_MS))
  }

  /** Sends until `signal` is aborted, then awaits open requests and releases the rest. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.options
    while (!signal.aborted) {
      try {
        // A wake-up within a round may concern a channel that was already claimed from.
        if (this.claims.isBetweenRounds) this.wakeUp.clear()
        if (!(await this.claim())) await this.wakeUp.sleep(await untilNext(this.options), signal)
      } catch (error) {
        if (signal.aborted) break
        log.warn(
          { event: 'delivery.poll_failed', err: error },
          'The deliveries that are due could not be read; retrying',
        )
        await clock.wait(SECOND_MS, signal)
      }
    }
    await this.end()
  }

  private async claim(): Promise<boolean> {
    const hasClaimed = await this.claims.claim((delivery) => this.take(delivery))
    if (this.claims.isBetweenRounds) this.isAdmitting = true
    return hasClaimed
  }

  private fits(workspaceId: Uuid, channelId: Uuid): boolean {
    const { inFlight, lanes, backlog } = this
    if (!this.isAdmitting || backlog.has(channelId)) return false
    const most = Math.min(lanes.capacityOf(channelId), mostOfLane(inFlight.shareFor(workspaceId)))
    if (lanes.sizeOf(channelId) + inFlight.reservedOf(channelId) >= most) return false
    if (inFlight.isFullFor(workspaceId)) return false
    if (inFlight.size < IN_FLIGHT_MAX) return true
    inFlight.noteFull()
    return false
  }

  private takeFromMemory(deliveries: readonly NewDelivery[], leasedUntil: Date): void {
    for (const delivery of readFromMemory(deliveries, leasedUntil, this.options)) {
      if (this.isAdmitting) this.take(delivery)
      else void this.releasing.run(delivery)
    }
  }

  private wakeIfRoom(channelIds: readonly Uuid[]): void {
    const { lanes } = this
    if (channelIds.some((id) => lanes.sizeOf(id) < lanes.capacityOf(id))) this.wakeUp.wake()
  }

  private take(delivery: InFlight): void {
    if (this.inFlight.add(delivery)) this.lanes.add(delivery)
  }

  private async send(delivery: InFlight, waited: boolean): Promise<LaneResult | null> {
    const { clock } = this.options
    try {
      const beganMs = clock.monotonicMs()
      const turn = this.turnAtHost(delivery)
      const isTurn = turn === null || (await turn)
      const waitedMs = turn === null ? 0 : clock.monotonicMs() - beganMs
      // A delivery that waited may have been cancelled, or its channel changed.
      const mayHaveChanged = isTurn && (waited || turn !== null)
      const present = mayHaveChanged ? await this.rereading.run(delivery) : delivery
      if (present === null) return this.drop(delivery)
      if (!isTurn || this.isTooLate(delivery)) return await this.leaveToQueue(delivery)
      return await this.attemptOnce(present, delivery, waitedMs)
    } catch (error) {
      this.options.log.warn(
        { event: 'delivery.reload_failed', err: error, deliveryId: toId('dlv', delivery.deliveryId) },
        'A delivery could not be read; it is retried after its lease',
      )
      return this.drop(delivery)
    }
  }

  private async attemptOnce(present: InFlight, delivery: InFlight, waitedMs: number): Promise<LaneResult | null> {
    const { settled, answered, durationMs } = await this.attempt(present.due, present.mention?.() ?? null)
    this.recorder.add(settled, delivery)
    // Including the wait for the host, so that lanes of a crowded host shrink too.
    return durationMs === null ? null : { answered, durationMs: durationMs + waitedMs }
  }

  /** Null when there is no wait for the host. False when the stage ends. */
  private turnAtHost({ workspaceId, channelId, due: { channel } }: InFlight): Promise<boolean> | null {
    if (this.hostPace === null) return null
    const host = this.hosts.of(channelId, channel)
    return host === null ? null : this.hostPace.take(host, workspaceId)
  }

  private isTooLate({ leasedUntil }: InFlight): boolean {
    return this.options.clock.now().getTime() > leasedUntil.getTime() - ATTEMPT_MS
  }

  private async leaveToQueue(delivery: InFlight): Promise<null> {
    this.backlog.add(delivery.channelId)
    await this.releasing.run(delivery)
    return this.drop(delivery)
  }

  private drop(delivery: InFlight): null {
    this.inFlight.remove(delivery)
    return null
  }

  private finish(delivery: InFlight, error: unknown): void {
    // The lease expires and the delivery is sent again under the same id.
    if (error !== null)
      this.options.log.error(
        { event: 'delivery.result_lost', err: error, deliveryId: toId('dlv', delivery.deliveryId) },
        'The result of a delivery could not be recorded',
      )
    this.inFlight.remove(delivery)
  }

  private async release(batch: readonly InFlight[]): Promise<readonly InFlight[]> {
    const { db, log } = this.options
    await releaseDeliveries(db, batch).catch((error: unknown) =>
      log.warn(
        { event: 'delivery.leases_not_released', err: error },
        'The leases of deliveries could not be released; they expire',
      ),
    )
    return batch
  }

  /** Unbegun deliveries are released before the open requests end, so that another process can take them. */
  private async end(): Promise<void> {
    this.isAdmitting = false
    this.recorder.hurry()
    this.hostPace?.end()
    const unbegun = this.lanes.takeUnbegun()
    await Promise.all(unbegun.map(async (delivery) => this.drop(await this.releasing.run(delivery))))
    await this.lanes.idle()
    await this.recorder.idle()
  }
}

async function untilNext({ db, clock }: DeliverOptions): Promise<number> {
  const due = await nextDeliveryDue(db)
  if (!due) return LOOK_MS
  const remainingMs = due.getTime() - clock.now().getTime()
  return remainingMs > 0 ? Math.min(LOOK_MS, remainingMs) : CROWDED_MS
}
