import { DELIVERIES_KEPT, MENTIONS_KEPT, type Retention } from '../../domain/workspace/retention.ts'
import { wholeNumber } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface RetentionSettings {
  retention: Retention
}

export const RETENTION_SETTINGS = {
  MENTIONS_KEPT_DAYS: {
    meaning:
      'Days that mentions and their posts are kept; older ones are removed for good, and older posts are not stored. ' +
      'Counts of keywords, usage and money stay. A workspace may choose a shorter period.',
    form: `whole number from ${MENTIONS_KEPT.min} to ${MENTIONS_KEPT.max} (days)`,
    fallback: 'mentions are kept until somebody removes them; each workspace may choose a period',
    schema: wholeNumber(MENTIONS_KEPT.min, MENTIONS_KEPT.max),
  },
  DELIVERIES_KEPT_DAYS: {
    meaning: 'Days that the log keeps deliveries and their requests. A workspace may choose a shorter period.',
    form: `whole number from ${DELIVERIES_KEPT.min} to ${DELIVERIES_KEPT.max} (days)`,
    default: String(DELIVERIES_KEPT.default),
    schema: wholeNumber(DELIVERIES_KEPT.min, DELIVERIES_KEPT.max),
  },
} satisfies SettingsTable

export function retentionSettingsOf(values: ValuesOf<typeof RETENTION_SETTINGS>): RetentionSettings {
  return {
    retention: { mentionDays: values.MENTIONS_KEPT_DAYS ?? null, deliveryDays: values.DELIVERIES_KEPT_DAYS },
  }
}
