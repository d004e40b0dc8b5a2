import type { Services } from '../../src/commands/writing.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import type { TestClock } from '../clock.ts'
import type { WorkspaceModel } from './model.ts'

export interface Plan {
  /** The same seed does the same, as far as what runs at once lets it. */
  seed: number
  /** A match and a score count one each, anything else one. */
  operations: number
  days: number
  workspaces: number
}

/** What took place, so that a run in which little happened is not taken for a proof. */
export interface Tally {
  operations: number
  crashes: number
  races: number
  /** Races whose outcome was not that of the order in which they were started. */
  overtaken: number
  /** By kind. */
  done: Map<string, number>
  refused: number
  events: Map<string, number>
  entries: number
}

/** Everything that a simulation holds while it runs. */
export interface Stage {
  plan: Plan
  random: () => number
  clock: TestClock
  /** Processes that share a database; the first is used wherever nothing runs at once. */
  processes: Services[]
  models: Map<Uuid, WorkspaceModel>
  tally: Tally
  posts: string[]
  keys: string[]
}

/** Ends the simulation with what was found, if anything was. */
export function complain(found: readonly string[], { plan, tally, clock }: Stage, what: string): void {
  if (found.length === 0) return
  const shown = found.slice(0, 5).join('\n')
  throw new Error(
    `After ${what}, at ${clock.now().toISOString()}, operation ${tally.operations} of the seed ${plan.seed}: ${found.length} differences.\n${shown}\nAgain: SIMULATION_SEED=${plan.seed} SIMULATION_OPERATIONS=${plan.operations} npx vitest run test/simulation`,
  )
}

export function chance({ random }: Stage, share: number): boolean {
  return random() < share
}

export function one<Value>({ random }: Stage, values: readonly Value[]): Value | undefined {
  return values[Math.floor(random() * values.length)]
}
