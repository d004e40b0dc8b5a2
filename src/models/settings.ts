import { key, keyText, oneOf, webAddress, wholeNumber } from '../kernel/setting-forms.ts'
import { findMissing, type GivenSettings, type SettingsTable, type ValuesOf } from '../kernel/settings.ts'

export interface LanguageModelSettings {
  /** For what rules cannot decide; null for none. The address ends with the version. */
  languageModel: {
    provider: 'openai' | 'anthropic'
    url: string
    key: string | null
    model: string
    timeoutSeconds: number
  } | null
}

const URLS = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1' } as const

export const LANGUAGE_MODEL_SETTINGS = {
  LANGUAGE_MODEL: {
    meaning:
      'The interface of a language model that may suggest contexts of keywords and, as CLASSIFIER says, score ' +
      'mentions; it is shown posts. Needs LANGUAGE_MODEL_NAME.',
    form: 'openai (also for any server that speaks it), anthropic',
    fallback: 'no language model is asked',
    schema: oneOf(['openai', 'anthropic']),
  },
  LANGUAGE_MODEL_URL: {
    meaning: 'Where that interface is, with its version; may be an address of this machine or network.',
    form: 'http or https address such as http://localhost:11434/v1',
    fallback: 'that of the provider',
    schema: webAddress.transform((address) => address.replace(/\/+$/, '')),
  },
  LANGUAGE_MODEL_NAME: {
    meaning: 'The model, as its provider calls it.',
    form: 'text without blanks',
    fallback: 'none',
    schema: keyText,
  },
  LANGUAGE_MODEL_KEY: key('The key for that interface.', 'asked without a key, as servers of one’s own allow'),
  LANGUAGE_MODEL_TIMEOUT_SECONDS: {
    meaning: 'How long one question to it may take, repeated tries included.',
    form: 'whole number from 1 to 300',
    unit: 'seconds',
    default: '30',
    schema: wholeNumber(1, 300),
  },
} satisfies SettingsTable

export function findLanguageModelProblems(given: GivenSettings): string[] {
  return findMissing(given, ['LANGUAGE_MODEL', 'LANGUAGE_MODEL_NAME'])
}

export function languageModelSettingsOf(values: ValuesOf<typeof LANGUAGE_MODEL_SETTINGS>): LanguageModelSettings {
  const { LANGUAGE_MODEL: provider, LANGUAGE_MODEL_NAME: model } = values
  if (provider === undefined || model === undefined) return { languageModel: null }
  return {
    languageModel: {
      provider,
      url: values.LANGUAGE_MODEL_URL ?? URLS[provider],
      key: values.LANGUAGE_MODEL_KEY ?? null,
      model,
      timeoutSeconds: values.LANGUAGE_MODEL_TIMEOUT_SECONDS,
    },
  }
}
