import type { MentionFilter } from '../filter/fields.ts'
import type { AlertMode, Schedule } from './mode.ts'

/** An ordinary rule that can be had by naming its event. */
export interface Preset {
  /** What the rule is called until somebody calls it something else. */
  name: string
  mode: AlertMode
  filter: MentionFilter
  schedule: Schedule | null
}

const EVERY_MORNING: Schedule = { hour: 9, minute: 0, timezone: 'UTC', skipEmpty: false, weekday: null }

function instant(name: string, filter: MentionFilter): Preset {
  return { name, mode: 'instant', filter, schedule: null }
}

/** The rules that a webhook channel can have by their events, in the order in which they are shown. */
export const PRESETS = {
  'mention.matched': instant('Relevant mentions', {}),
  'mention.high_relevance': instant('Highly relevant mentions', { minRelevance: 80 }),
  'mention.negative': instant('Negative mentions', { sentiments: ['negative'] }),
  'mention.positive': instant('Positive mentions', { sentiments: ['positive'] }),
  'mention.buy_intent': instant('People who want to buy', { intents: ['buy_intent'] }),
  'mention.question': instant('Questions', { intents: ['question'] }),
  'mention.complaint': instant('Complaints', { intents: ['complaint'] }),
  'mention.comparison': instant('Comparisons', { intents: ['comparison'] }),
  'mention.churn_intent': instant('People who want to leave', { intents: ['churn_intent'] }),
  'mention.bug_report': instant('Bug reports', { intents: ['bug_report'] }),
  'mention.pricing': instant('Talk about prices', { intents: ['pricing'] }),
  'review.negative': instant('Negative reviews', { ratings: [1, 2] }),
  digest: { name: 'Daily digest', mode: 'daily', filter: {}, schedule: EVERY_MORNING },
} as const satisfies Record<string, Preset>

export type PresetEvent = keyof typeof PRESETS
export const PRESET_EVENTS = Object.keys(PRESETS) as [PresetEvent, ...PresetEvent[]]

/** What tells whether a rule is one of a preset. */
export interface Ruling {
  event: string
  mode: AlertMode
  filter: MentionFilter
}

/**
 * The preset whose rule this is, as far as its one channel has it alone; null for every other rule. The name, the time
 * of a digest and muted authors are people's own to choose: with another event, mode or condition it is a rule like any
 * other.
 */
export function presetOf({ event, mode, filter: { excludeAuthors: _, ...conditions } }: Ruling): PresetEvent | null {
  const named = PRESET_EVENTS.find((item) => item === event)
  if (named === undefined) return null
  const preset: Preset = PRESETS[named]
  return mode === preset.mode && JSON.stringify(conditions) === JSON.stringify(preset.filter) ? named : null
}
