import type { Alert } from '../api/alerts.ts'
import type { Channel } from '../api/channels.ts'
import { isReady } from '../app/new-channel/ready.ts'

/** From the first start to a delivery, in this order. */
export const STEP_NAMES = ['term', 'mention', 'channel', 'test', 'rule', 'delivery'] as const
export type StepName = (typeof STEP_NAMES)[number]

/** `ahead`: another step comes first. */
export type StepState = 'done' | 'open' | 'ahead'
export type StepStates = Readonly<Record<StepName, StepState>>

/** What the API says of the workspace. */
export type Done = Readonly<Record<StepName, boolean>>

/** A mention may take time, so the channel waits for the term alone. */
const NEEDS: Readonly<Record<StepName, StepName | null>> = {
  term: null,
  mention: 'term',
  channel: 'term',
  test: 'channel',
  rule: 'test',
  delivery: 'rule',
}

export function stepStates(done: Done, reopened: StepName | null): StepStates {
  const stateOf = (name: StepName): StepState => {
    const needed = NEEDS[name]
    if (name === reopened) return 'open'
    if (done[name]) return 'done'
    return needed === null || done[needed] ? 'open' : 'ahead'
  }
  return Object.fromEntries(STEP_NAMES.map((name) => [name, stateOf(name)])) as Record<StepName, StepState>
}

/** The step that gets the focus after a change; null when no step opened and none was finished. */
export function stepToFocus(before: StepStates, after: StepStates): StepName | null {
  const opened = STEP_NAMES.find((name) => after[name] === 'open' && before[name] !== 'open')
  if (opened !== undefined) return opened
  const finished = STEP_NAMES.find((name) => after[name] === 'done' && before[name] === 'open')
  if (finished === undefined) return null
  return STEP_NAMES.find((name) => after[name] === 'open') ?? finished
}

/** The channel that the steps after it are about: the chosen one, else one with a rule, else the newest. */
export function targetChannel(channels: readonly Channel[], chosenId: string | null): Channel | null {
  const ready = channels.filter(isReady)
  const chosen = ready.find(({ id }) => id === chosenId)
  if (chosen !== undefined) return chosen
  const newestFirst = ready.toSorted((left, right) => right.createdAt.localeCompare(left.createdAt))
  return newestFirst.find(({ stats }) => stats.activeAlerts > 0) ?? newestFirst[0] ?? null
}

export function isSentTo({ enabled, channelIds }: Alert, channelId: string): boolean {
  return enabled && channelIds.includes(channelId)
}
