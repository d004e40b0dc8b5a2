import { textLike, webAddress } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface TelegramSettings {
  /** Null without a bot. A null secret is derived from the token. */
  telegram: { token: string; apiUrl: string; webhookSecret: string | null } | null
}

export const TELEGRAM_SETTINGS = {
  TELEGRAM_BOT_TOKEN: {
    meaning: 'The token of the bot, made with @BotFather, through which Telegram channels send.',
    form: 'number, colon and letters, as in 123456789:AbC_d-EfG',
    fallback: 'there are no Telegram channels',
    secret: true,
    schema: textLike(/^\d{1,20}:[A-Za-z0-9_-]{1,200}$/, 'must be a token of a bot, such as 123456789:AbC_d-EfG'),
  },
  TELEGRAM_API_URL: {
    meaning: 'Address of the Bot API, for your own server, proxies and tests.',
    form: 'http or https address',
    default: 'https://api.telegram.org',
    schema: webAddress.transform((address) => address.replace(/\/+$/, '')),
  },
  TELEGRAM_WEBHOOK_SECRET: {
    meaning: 'Secret that Telegram sends with every message to PUBLIC_URL/hooks/telegram.',
    form: '16 to 256 letters, digits, hyphens and underscores',
    fallback: 'derived from the token of the bot',
    secret: true,
    schema: textLike(
      /^[A-Za-z0-9_-]{16,256}$/,
      'must be 16 to 256 letters, digits, hyphens and underscores; "openssl rand -hex 32" makes one',
    ),
  },
} satisfies SettingsTable

export function telegramSettingsOf(values: ValuesOf<typeof TELEGRAM_SETTINGS>): TelegramSettings {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_URL: apiUrl, TELEGRAM_WEBHOOK_SECRET: webhookSecret = null } = values
  return { telegram: token === undefined ? null : { token, apiUrl, webhookSecret } }
}
