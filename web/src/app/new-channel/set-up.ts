import { ApiError } from '../../api/errors.ts'

/** Settings whose absence the code of a refusal means. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  slack_not_configured: ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET'],
  telegram_not_configured: ['TELEGRAM_BOT_TOKEN'],
  email_not_configured: ['SMTP_URL', 'MAIL_FROM'],
  email_transport_unavailable: ['SMTP_URL', 'MAIL_FROM'],
  delivery_not_configured: ['EARSHOT_SECRET_KEY'],
  delivery_key_unavailable: ['EARSHOT_SECRET_KEY'],
}

/** The settings that an error says are missing; empty for other errors. */
export function missingSettings(error: Error): readonly string[] {
  return error instanceof ApiError ? (SETTINGS[error.code] ?? []) : []
}
