import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { Batcher } from '../../kernel/concurrency/batcher.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import type { Database } from '../../store/database.ts'
import { nextDeliveryDue, releaseDeliveries } from '../../store/delivery/delivery-claims.ts'
import type { NewDelivery } from '../../store/delivery/rule-deliveries.ts'
import { type Attempt, type AttemptOptions, createAttempt } from './attempt.ts'
import { Backlog } from './backlog.ts'
import { ChannelHosts, HostPace } from './host-pace.ts'
import { IN_FLIGHT_MAX, InFlightDeliveries } from './in-flight.ts'
import { mostOfLane, type Passed } from './lane.ts'
import { Lanes } from './lanes.ts'
import { keepPace } from './pace.ts'
import { QueueClaims } from './queue-claims.ts'
import { type InFlight, readAgain, readFromMemory } from './read-deliveries.ts'
import { ResultRecorder } from './result-recorder.ts'
import { type Intake, type IntakeParts, TransactionIntake } from './transaction-intake.ts'

export interface DeliverOptions extends AttemptOptions {
  db: Database
  /** Requests that one host of webhooks gets in a second at most; as many as there are where it is absent. */
  perHostSecond?: number
}

/**
 * Two rounds of a lane of receivers that use up their ten seconds, and some more for recording the result. With the
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
 * Sends what is due. The way of a delivery:
 *
 *     begin() -> TransactionIntake: made by a transaction just now ─┐
 *     run()   -> QueueClaims: claimed from the queue ───────────────┴─> take() -> Lanes -> send() -> ResultRecorder
 *
 * The queue has retries, what did not fit into its lane, and what other processes left. A channel of which something
 * waits there gets nothing from memory until that is claimed, so that its order stays the one of age.
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
  private readonly attempt: Attempt
  private readonly hosts = new ChannelHosts()
  private readonly hostPace: HostPace | null
  private readonly rereading: Batcher<InFlight, InFlight | null>
  private readonly releasing: Batcher<InFlight, InFlight>
  /** Before the queue was looked through once, nobody knows what waits there; and at the end nothing more is taken. */
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

  /** Something is due now. Bound, so that it can be handed on. */
  readonly wake = (): void => this.wakeUp.wake()

  /** How many deliveries are being sent, wait for their turn or for being recorded. */
  get length(): number {
    return this.inFlight.size
  }

  /**
   * To be waited for before work is begun that makes deliveries: resolves at once unless many are in flight, else when
   * they have become fewer, or do not become fewer. What is made faster than it can be sent has to go by way of the
   * queue.
   */
  async pace(signal: AbortSignal): Promise<void> {
    await keepPace({ clock: this.options.clock, inFlight: this.inFlight, lanes: this.lanes }, signal)
  }

  /** To be called at the beginning of a transaction that makes deliveries. */
  begin(): Intake {
    return new TransactionIntake(this.intakeParts, plus(this.options.clock.now(), LEASE_MS))
  }

  /** Sends until `signal` is aborted, then waits for the requests on the wire and gives back what was not begun. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.options
    while (!signal.aborted) {
      try {
        // A wake-up in the middle of a round may be for a channel that has had its own claim.
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

  /** False when there was nothing to claim, or no room for it. */
  private async claim(): Promise<boolean> {
    const hasClaimed = await this.claims.claim((delivery) => this.take(delivery))
    if (this.claims.isBetweenRounds) this.isAdmitting = true
    return hasClaimed
  }

  /** Whether a delivery that is being made may be sent from memory. */
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

  /** Called by the lanes when there is room on the wire; `waited` for a delivery that waited in its lane. */
  private async send(delivery: InFlight, waited: boolean): Promise<Passed | null> {
    const { clock } = this.options
    try {
      const beganMs = clock.monotonicMs()
      const turn = this.turnAtHost(delivery)
      const isTurn = turn === null || (await turn)
      const waitedMs = turn === null ? 0 : clock.monotonicMs() - beganMs
      // What waited in its lane, or for its host, may have been cancelled meanwhile, or its channel changed.
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

  /** Sends `present`, the delivery as it is now, and has the result recorded. */
  private async attemptOnce(present: InFlight, delivery: InFlight, waitedMs: number): Promise<Passed | null> {
    const { settled, answered, durationMs } = await this.attempt(present.due, present.mention?.() ?? null)
    this.recorder.add(settled, delivery)
    // A lane whose host is crowded takes less in flight, as one does whose receiver is slow.
    return durationMs === null ? null : { answered, durationMs: durationMs + waitedMs }
  }

  /** Null when there is nothing to wait for at the receiver's host; false when it is not to be sent any more. */
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
    // The lease runs out and the delivery is tried again, under its own id.
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

  /** What is not begun goes back at once, so that another process need not wait for the requests on the wire. */
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
