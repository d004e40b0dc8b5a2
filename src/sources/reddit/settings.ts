import { headerText, key, oneOf } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'
import { dailyCap } from '../daily-cap.ts'

const APP = { from: ['https://www.reddit.com/prefs/apps'], price: 'nothing, once Reddit has approved the app' }

export const SETTINGS = {
  REDDIT_ROUTE: {
    meaning:
      'How Reddit is collected: with an approved app (oauth), through ScrapeCreators (provider), or from the ' +
      'public feeds (atom), which Reddit may refuse.',
    form: 'oauth, provider, atom, off',
    fallback: 'oauth when REDDIT_CLIENT_ID is set, else Reddit is not collected',
    schema: oneOf(['oauth', 'provider', 'atom', 'off']),
  },
  REDDIT_CLIENT_ID: key('The id of the approved Reddit app.', 'no oauth route', APP),
  REDDIT_CLIENT_SECRET: key('The secret of the approved Reddit app.', 'no oauth route', APP),
  REDDIT_USER_AGENT: {
    meaning: 'How the collector introduces itself to Reddit.',
    form: 'platform:app-id:version (by /u/name)',
    fallback: 'COLLECTOR_USER_AGENT',
    schema: headerText,
  },
  REDDIT_DAILY_USD_CAP: dailyCap('reddit', '2'),
} satisfies SettingsTable
