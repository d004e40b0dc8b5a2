import type { PROVIDER_SETTINGS } from '../providers/settings.ts'
import { lacking, type Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { reddit } from './source.ts'

export const setup: Setup<typeof SETTINGS & typeof PROVIDER_SETTINGS> = (values, { userAgent: ownAgent }) => {
  const { REDDIT_CLIENT_ID: clientId, REDDIT_CLIENT_SECRET: clientSecret } = values
  const { REDDIT_USER_AGENT: userAgent = ownAgent, REDDIT_ROUTE: route = clientId ? 'oauth' : null } = values
  if (route === null) return { missing: ['REDDIT_ROUTE', 'REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'] }
  if (route === 'off') return 'off'
  if (route === 'atom') return reddit({ route, userAgent })
  if (route === 'provider') {
    const { SCRAPECREATORS_API_KEY: key, SCRAPECREATORS_CREDIT_USD: creditMicroUsd } = values
    if (!key) return { missing: ['SCRAPECREATORS_API_KEY'] }
    return reddit({ route, key, creditMicroUsd, dailyMicroUsd: values.REDDIT_DAILY_USD_CAP })
  }
  if (clientId && clientSecret) return reddit({ route: 'oauth', clientId, clientSecret, userAgent })
  return lacking(values, ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'])
}
