import { wholeNumber } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface DeliverSettings {
  webhooksPerHostSecond: number
}

export const DELIVER_SETTINGS = {
  WEBHOOKS_PER_HOST_SECOND: {
    meaning:
      'Requests that one host gets in a second from each working process, over all webhooks of all workspaces, ' +
      'which take turns; the others wait, and nothing is lost.',
    form: 'whole number from 1 to 100000',
    default: '100',
    schema: wholeNumber(1, 100_000),
  },
} satisfies SettingsTable

export function deliverSettingsOf(values: ValuesOf<typeof DELIVER_SETTINGS>): DeliverSettings {
  return { webhooksPerHostSecond: values.WEBHOOKS_PER_HOST_SECOND }
}
