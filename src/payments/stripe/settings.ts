import { key, webOrigin } from '../../kernel/setting-forms.ts'
import type { GivenSettings, SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface StripeSettings {
  /** Null if payments are off. `apiUrl` replaces Stripe's address. */
  stripe: { secretKey: string; webhookSecret: string; apiUrl: string | null } | null
}

export const STRIPE_SETTINGS = {
  STRIPE_SECRET_KEY: key(
    'The key of the Stripe account through which balances are topped up.',
    'nothing can be topped up by payment',
  ),
  STRIPE_WEBHOOK_SECRET: key(
    'What Stripe signs its messages to PUBLIC_URL/hooks/stripe with.',
    'nothing can be topped up by payment',
  ),
  STRIPE_API_URL: {
    meaning: 'Replaces the address of Stripe’s interface; for proxies and tests.',
    form: 'http or https address without a path',
    fallback: 'the real address',
    schema: webOrigin,
  },
} satisfies SettingsTable

export function findStripeProblems(given: GivenSettings): string[] {
  const [secretKey, webhookSecret] = [given.has('STRIPE_SECRET_KEY'), given.has('STRIPE_WEBHOOK_SECRET')]
  if (secretKey === webhookSecret) return []
  return secretKey
    ? ['STRIPE_WEBHOOK_SECRET: is missing beside STRIPE_SECRET_KEY, and without it no payment would be credited']
    : ['STRIPE_SECRET_KEY: is missing beside STRIPE_WEBHOOK_SECRET']
}

export function stripeSettingsOf(values: ValuesOf<typeof STRIPE_SETTINGS>): StripeSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values
  if (secretKey === undefined || webhookSecret === undefined) return { stripe: null }
  return { stripe: { secretKey, webhookSecret, apiUrl: values.STRIPE_API_URL ?? null } }
}
