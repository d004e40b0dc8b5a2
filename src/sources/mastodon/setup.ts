import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { mastodon } from './source.ts'

export const setup: Setup<typeof SETTINGS> = (values) =>
  mastodon({
    stream: values.MASTODON_STREAM,
    servers: values.MASTODON_SERVERS,
    token: values.MASTODON_TOKEN ?? null,
    honoured: values.MASTODON_HONOUR_NOINDEX,
  })
