import type { Brought } from '../read/read.ts'
import { isNothing, type Size } from '../watch/changes.ts'
import type { BatchIntake } from './intake.ts'
import { partitionChanges, partitionOf } from './partition-changes.ts'
import { PlaceKeeper } from './place-keeper.ts'
import { Repeats } from './repeats.ts'
import { type IntakeOptions, SourceIntake } from './source-intake.ts'
import { newer, type Partition } from './store-group.ts'

export interface PartitionedOptions extends Omit<IntakeOptions, 'partition' | 'onResized'> {
  onResized(size: Size, partition: number): void
}

/**
 * Divides a source's posts among intakes that store at the same time, each post always by the same one. The place of
 * the source moves to what all have stored; after a crash the others' lead is read again, and posts that are there are
 * not stored twice.
 */
export class PartitionedIntake implements BatchIntake {
  private readonly options: PartitionedOptions
  private readonly keeper: PlaceKeeper
  private readonly repeats: readonly Repeats[]
  private readonly intakes: readonly SourceIntake[]
  /** Aborted with the failure, before what is being stored has ended. */
  private readonly stopping = new AbortController()
  private readonly failing = new AbortController()
  private readonly ending = new AbortController()
  private keeping: Promise<void> | null = null
  private failure: Promise<void> | null = null
  private batch = 0
  private newestAt: Date | null = null

  constructor(options: PartitionedOptions, partitions: number) {
    this.options = options
    this.keeper = new PlaceKeeper({
      ...options,
      storedThrough: () => this.storedThrough(),
      onSaved: (batch) => {
        for (const repeats of this.repeats) repeats.forget(batch)
      },
    })
    this.repeats = Array.from({ length: partitions }, () => new Repeats())
    this.intakes = this.repeats.map((repeats, partition) => this.intakeOf(repeats, partition))
  }

  /** Aborted when one could not store and the others have ended. */
  get failed(): AbortSignal {
    return this.failing.signal
  }

  async put(brought: Brought): Promise<void> {
    await this.throwFailure()
    this.keeping ??= this.keeper.run(this.ending.signal).catch((error: unknown) => this.fail(error))
    this.batch += 1
    this.newestAt = newer(this.newestAt, brought.newestAt)
    const parts = partitionChanges(brought.changes, this.intakes.length)
    const taken = parts.map((changes, partition) =>
      isNothing(changes)
        ? undefined
        : this.intakes[partition]!.put({ ...brought, changes, posts: changes.matched.size }, this.batch),
    )
    const place = { batch: this.batch, cursor: brought.cursor, newestAt: this.newestAt }
    this.keeper.note(place, { isEmpty: isNothing(brought.changes) })
    await Promise.allSettled(taken)
    await this.throwFailure()
  }

  async finish(): Promise<void> {
    await Promise.allSettled(this.intakes.map((intake) => intake.finish()))
    this.ending.abort()
    await this.keeping
    if (this.failure === null) await this.keeper.save().catch((error: unknown) => this.fail(error))
    await this.throwFailure()
  }

  private intakeOf(repeats: Repeats, partition: number): SourceIntake {
    const { onStored, onResized } = this.options
    const intake = new SourceIntake({
      ...this.options,
      partition: this.partition(repeats, partition),
      onStored: () => {
        onStored()
        this.keeper.progress()
      },
      onResized: (size) => onResized(size, partition),
    })
    intake.failed.addEventListener('abort', () => this.fail(intake.failed.reason), { once: true })
    return intake
  }

  private partition(repeats: Repeats, partition: number): Partition {
    return {
      owns: (id) => partitionOf(id, this.intakes.length) === partition,
      ready: async (group) => {
        const last = Math.max(...group.map(({ changes }) => repeats.last(changes)))
        await this.keeper.reach(last, this.stopping.signal)
        for (const { changes, batch } of group) repeats.note(changes, batch)
      },
    }
  }

  private storedThrough(): number {
    return Math.min(this.batch, ...this.intakes.map(({ oldest }) => (oldest ?? Number.POSITIVE_INFINITY) - 1))
  }

  private fail(reason: unknown): void {
    this.failure ??= this.stop(reason)
  }

  private async stop(reason: unknown): Promise<void> {
    this.stopping.abort(reason)
    this.ending.abort()
    await Promise.all([...this.intakes.map((intake) => intake.abandon(reason)), this.keeping])
    this.failing.abort(reason)
  }

  private async throwFailure(): Promise<void> {
    await this.failure
    this.failed.throwIfAborted()
  }
}
