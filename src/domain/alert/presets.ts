import type { MentionFilter } from '../filter/fields.ts'
import type { AlertMode, Schedule } from './mode.ts'

export interface Preset {
  name: string
  mode: AlertMode
  filter: MentionFilter
  schedule: Schedule | null
}

const EVERY_MORNING: Schedule = { hour: 9, minute: 0, timezone: 'UTC', skipEmpty: false, weekday: null }

function instant(name: string, filter: MentionFilter): Preset {
  return { name, mode: 'instant', filter, schedule: null }
}

/** In display order. */
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

export interface Ruling {
  event: string
  mode: AlertMode
  filter: MentionFilter
}

/**
 * Null for any other rule. Name, schedule and muted authors may differ; event, mode and conditions may not. Assumes a
 * rule of one channel.
 */
export function presetOf({ event, mode, filter: { excludeAuthors: _, ...conditions } }: Ruling): PresetEvent | null {
  const named = PRESET_EVENTS.find((item) => item === event)
  if (named === undefined) return null
  const preset: Preset = PRESETS[named]
  return mode === preset.mode && JSON.stringify(conditions) === JSON.stringify(preset.filter) ? named : null
}
