import type { CollectContext } from '../contract.ts'

export interface ActorTask {
  /** The input field of `wanted`, such as `searchQueries`. */
  list: string
  wanted: readonly string[]
  input: Readonly<Record<string, string | number | boolean>>
  itemsPerEntry: number
  /** The actor's highest price per item. */
  itemMicroUsd: number
}

/** One batch per run. Yields paid items before it throws another run's fault. */
export type RunActor = (context: CollectContext, task: ActorTask) => AsyncIterable<unknown[]>
