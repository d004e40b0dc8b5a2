import { key, oneOf, publicHostNames, textLike, webOrigin } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

export const SETTINGS = {
  MASTODON_STREAM: {
    meaning:
      'The relay or server whose stream of public posts is followed. A server needs MASTODON_TOKEN and must be the ' +
      'first of MASTODON_SERVERS.',
    form: 'https address without path',
    default: 'https://fedi.buzz',
    schema: textLike(/^https:/i, 'must begin with https://')
      .pipe(webOrigin)
      .transform((text) => new URL(text).origin),
  },
  MASTODON_SERVERS: {
    meaning: 'The servers whose public timelines bring what the stream missed during a break.',
    form: 'host names separated by commas',
    default: 'mastodon.social',
    schema: publicHostNames,
  },
  MASTODON_TOKEN: key(
    'A token of an account at the first of MASTODON_SERVERS, with the scopes read:statuses and read:search.',
    'no live search on Mastodon; timelines and streams as far as servers show them to visitors',
    { from: ['https://mastodon.social/settings/applications'], price: null },
  ),
  MASTODON_HONOUR_NOINDEX: {
    meaning:
      'Whose posts are left out: of people who do not want search engines (noindex) or programs (#nobot in the ' +
      'profile); on also leaves out people who did not agree to be discovered.',
    form: 'on, noindex, off',
    default: 'on',
    schema: oneOf(['on', 'noindex', 'off']),
  },
} satisfies SettingsTable
