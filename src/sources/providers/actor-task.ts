import type { CollectContext } from '../contract.ts'

/** What an actor is to look for. */
export interface ActorTask {
  /** The field of the actor's input that holds the list of what is looked for, such as `searchQueries`. */
  list: string
  /** The entries of that list. */
  wanted: readonly string[]
  /** The other fields of the input. */
  input: Readonly<Record<string, string | number | boolean>>
  /** Most items that an entry may bring. */
  itemsPerEntry: number
  /** The highest price that the actor asks for an item. */
  itemMicroUsd: number
}

/**
 * The items that the actor found, in its own order and form, in a portion for each run that they come from. What one
 * run brought was paid for, so it is handed over before the trouble with another run is thrown.
 */
export type RunActor = (context: CollectContext, task: ActorTask) => AsyncIterable<unknown[]>
