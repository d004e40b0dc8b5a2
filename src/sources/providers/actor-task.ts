import type { CollectContext } from '../contract.ts'

export interface ActorTask {
  /** The input field that lists what is searched, such as `searchQueries`. */
  list: string
  wanted: readonly string[]
  /** The other fields of the input. */
  input: Readonly<Record<string, string | number | boolean>>
  itemsPerEntry: number
  /** The actor's highest price per item. */
  itemMicroUsd: number
}

/** Items in the actor's order, one batch per run. Yields paid items before it throws the fault of another run. */
export type RunActor = (context: CollectContext, task: ActorTask) => AsyncIterable<unknown[]>
