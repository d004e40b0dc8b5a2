import { wholeNumber } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

/** Concurrent transactions, first come, first served over all sources. */
export const STORES_AT_ONCE = 6

export interface StoreStageSettings {
  /** Transactions at a time in which the posts of one live platform are stored. */
  partitions: number
}

export const STORE_STAGE_SETTINGS = {
  STORE_PARTITIONS: {
    meaning:
      'In how many transactions at a time the posts of one live platform are stored, each post always in the same ' +
      'part. More than 1 helps when one platform brings more than 1,000 mentions a second and the database has ' +
      'cores to spare.',
    form: `whole number from 1 to ${STORES_AT_ONCE}`,
    default: '1',
    schema: wholeNumber(1, STORES_AT_ONCE),
  },
} satisfies SettingsTable

export function storeStageSettingsOf(values: ValuesOf<typeof STORE_STAGE_SETTINGS>): StoreStageSettings {
  return { partitions: values.STORE_PARTITIONS }
}
