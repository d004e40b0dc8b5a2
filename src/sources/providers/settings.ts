import type { Platform } from '../../domain/platform/platforms.ts'
import { key, microUsd, oneOf, textLike } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

const SCRAPECREATORS = 'https://app.scrapecreators.com'
export const APIFY = 'https://console.apify.com/settings/integrations'

/** Of every platform that is collected through them. */
export const PROVIDER_SETTINGS = {
  SCRAPECREATORS_API_KEY: key('The key of ScrapeCreators, for the platforms whose provider it is.', 'not used', {
    from: [SCRAPECREATORS],
    price: 'a credit for each page of results',
  }),
  SCRAPECREATORS_CREDIT_USD: {
    meaning: 'What one credit of ScrapeCreators costs you; counted against the daily caps.',
    form: 'amount such as 0.002',
    unit: 'dollars',
    default: '0.002',
    schema: microUsd,
  },
  APIFY_TOKEN: key('The token of Apify, for the platforms whose provider it is.', 'not used', {
    from: [APIFY],
    price: 'a part of a cent for each post or review, as the actor charges',
  }),
} satisfies SettingsTable

export const provider = (platform: Platform, price: string) => ({
  meaning: `The provider through which ${platform} is collected.`,
  form: 'scrapecreators, apify, off',
  fallback: `${platform} is not collected`,
  obtain: { from: [SCRAPECREATORS, APIFY], price },
  schema: oneOf(['scrapecreators', 'apify', 'off']),
})

export const actor = (platform: Platform, ofDefault: string) => ({
  meaning: `The Apify actor that collects ${platform}; its input and output must be those of the default one.`,
  form: 'user/actor',
  default: ofDefault,
  schema: textLike(/^[\w.-]{1,60}[/~][\w.-]{1,60}$/, 'must be user/actor'),
})
