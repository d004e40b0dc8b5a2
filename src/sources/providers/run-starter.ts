import { type CollectContext, MONEY, QuotaReached, type SourceReply } from '../contract.ts'
import type { ActorPlace } from './actor-runs.ts'
import type { ActorTask } from './actor-task.ts'
import { demandedBy, itemList, neverStarted, readReply } from './apify-reply.ts'

/** The timeout is longer, so that a run seldom outlives it. */
const RUN_SECONDS = 110
const RUN_TIMEOUT_MS = 125_000
/** Charged per start beside the items. */
export const START_MICRO_USD = 10_000
/** A budget for fewer items does not justify the start. */
const FEWEST_ITEMS = 10
/** A higher minimum charge needs the operator's consent. */
const HIGHEST_MINIMUM_MICRO_USD = 1_000_000

export class RunStarter {
  private readonly place: ActorPlace
  private readonly dailyMicroUsd: number
  private leastMicroUsd = 0

  constructor(place: ActorPlace, dailyMicroUsd: number) {
    this.place = place
    this.dailyMicroUsd = dailyMicroUsd
  }

  /** Retries only after too low a charge, when no run was started. */
  async start(context: CollectContext, task: ActorTask): Promise<unknown[]> {
    const { reply, takenMicroUsd } = await this.postWithin(context, task, this.mostFor(task))
    const demandedMicroUsd = demandedBy(reply)
    if (
      demandedMicroUsd === null ||
      demandedMicroUsd <= takenMicroUsd ||
      demandedMicroUsd > Math.min(this.dailyMicroUsd, HIGHEST_MINIMUM_MICRO_USD)
    ) {
      return this.bought(context, task, reply, takenMicroUsd)
    }
    this.leastMicroUsd = demandedMicroUsd
    return this.bought(context, task, await this.post(context, task, demandedMicroUsd), demandedMicroUsd)
  }

  private mostFor({ wanted, itemsPerEntry, itemMicroUsd }: ActorTask): number {
    const expectedMicroUsd = START_MICRO_USD + wanted.length * itemsPerEntry * itemMicroUsd
    // The budget refuses what it cannot pay.
    return Math.max(
      START_MICRO_USD + itemMicroUsd,
      Math.min(this.dailyMicroUsd, Math.max(this.leastMicroUsd, expectedMicroUsd)),
    )
  }

  /** Halves the charge until the budget, whose rest is unknown, accepts it. The actor stops at its charge. */
  private async postWithin(
    context: CollectContext,
    task: ActorTask,
    mostMicroUsd: number,
  ): Promise<{ reply: SourceReply; takenMicroUsd: number }> {
    const worthwhileMicroUsd = START_MICRO_USD + FEWEST_ITEMS * task.itemMicroUsd
    const floorMicroUsd = Math.min(mostMicroUsd, Math.max(this.leastMicroUsd, worthwhileMicroUsd))
    for (let takenMicroUsd = mostMicroUsd; ; takenMicroUsd = Math.max(floorMicroUsd, Math.floor(takenMicroUsd / 2))) {
      try {
        const reply = await this.post(context, task, takenMicroUsd)
        if (takenMicroUsd < mostMicroUsd) noteUnderfunded(context, takenMicroUsd, mostMicroUsd)
        return { reply, takenMicroUsd }
      } catch (error) {
        if (!(error instanceof QuotaReached && error.daily) || takenMicroUsd <= floorMicroUsd) throw error
      }
    }
  }

  private async post(
    context: CollectContext,
    { list, wanted, input, itemsPerEntry }: ActorTask,
    mostMicroUsd: number,
  ): Promise<SourceReply> {
    const { actorUrl, headers } = this.place
    const query = new URLSearchParams({
      timeout: String(RUN_SECONDS),
      clean: 'true',
      format: 'json',
      maxItems: String(wanted.length * itemsPerEntry),
      maxTotalChargeUsd: (mostMicroUsd / 1_000_000).toFixed(6),
    })
    const reply = await context.fetch(`${actorUrl}/run-sync-get-dataset-items?${query}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...input, [list]: wanted }),
      cost: { [MONEY]: mostMicroUsd },
      timeoutMs: RUN_TIMEOUT_MS,
    })
    if (neverStarted(reply)) context.spend({ [MONEY]: -mostMicroUsd })
    return reply
  }

  /** The reply lacks the cost: counts items at the highest price and refunds the rest. */
  private bought(
    context: CollectContext,
    { itemMicroUsd }: ActorTask,
    reply: SourceReply,
    takenMicroUsd: number,
  ): unknown[] {
    const items = readReply(reply, itemList, { actor: this.place.actor, at: context.at })
    context.spend({ [MONEY]: Math.min(0, START_MICRO_USD + items.length * itemMicroUsd - takenMicroUsd) })
    return items
  }
}

function noteUnderfunded({ log }: CollectContext, takenMicroUsd: number, mostMicroUsd: number): void {
  log.info(
    { event: 'apify.run_underfunded', takenMicroUsd, mostMicroUsd },
    'An Apify run has less budget than it may need',
  )
}
