import { microUsd, oneOf, textLike, wholeNumber } from '../kernel/setting-forms.ts'
import type { GivenSettings, SettingsTable, ValuesOf } from '../kernel/settings.ts'

export const CLASSIFIER_NAMES = ['offline', 'hybrid', 'model'] as const
export type ClassifierName = (typeof CLASSIFIER_NAMES)[number]

export interface ClassifySettings {
  classifier: ClassifierName
  /** Use of the language model; null where only the offline model scores. Money is in millionths of a dollar. */
  secondLook: {
    dailyMicroUsd: number
    callsAtOnce: number
    sureFrom: number
    prices: { input: number; output: number }
  } | null
  /** Threads that score mentions; 0 for the main thread. */
  classifyThreads: number
}

export const CLASSIFIER_SETTINGS = {
  CLASSIFIER: {
    meaning:
      'What scores mentions: the built-in model, which needs no network (offline); this and the language model ' +
      'where it is not sure (hybrid); or the language model for all (model). The last two need LANGUAGE_MODEL and ' +
      'its prices, and show it posts.',
    form: 'offline, hybrid, model',
    default: 'offline',
    schema: oneOf(CLASSIFIER_NAMES),
  },
  CLASSIFIER_SURE_FROM: {
    meaning:
      'From which confidence on the hybrid classifier believes the built-in model. Near the line between noise ' +
      'and relevant it never does.',
    form: 'number from 0 to 1, with two decimals at most',
    default: '0.6',
    schema: textLike(
      /^(0(\.\d{1,2})?|1(\.0{1,2})?)$/,
      'must be a number from 0 to 1, with two decimals at most',
    ).transform(Number),
  },
  CLASSIFIER_DAILY_USD_CAP: {
    meaning:
      'The most that scoring by the language model may cost on one day (UTC), shared out fairly between ' +
      'workspaces; checked before each call.',
    form: 'amount such as 5 or 0.5',
    unit: 'dollars',
    default: '1',
    schema: microUsd,
  },
  CLASSIFIER_CALLS_AT_ONCE: {
    meaning: 'How many calls to the language model each process that scores has on their way at once.',
    form: 'whole number from 1 to 8',
    default: '4',
    schema: wholeNumber(1, 8),
  },
} satisfies SettingsTable

const tokenPrice = (verb: string) => ({
  meaning:
    `What the model costs for a million tokens that it ${verb}, counted against CLASSIFIER_DAILY_USD_CAP; 0 where ` +
    'it costs nothing.',
  form: 'amount from 0 to 1000, such as 0.15',
  unit: 'dollars',
  fallback: 'no mention is scored by the language model',
  schema: microUsd.refine((price) => price <= 1000 * 1_000_000, 'must be 1000 at most'),
})

export const TOKEN_PRICE_SETTINGS = {
  LANGUAGE_MODEL_INPUT_USD: tokenPrice('reads'),
  LANGUAGE_MODEL_OUTPUT_USD: tokenPrice('writes'),
} satisfies SettingsTable

export const CLASSIFY_THREAD_SETTINGS = {
  CLASSIFY_THREADS: {
    meaning:
      'Threads that score mentions beside the main thread. They begin with the first full batch; 0 leaves ' +
      'everything to the main thread.',
    form: 'whole number from 0 to 16',
    default: '1',
    schema: wholeNumber(0, 16),
  },
} satisfies SettingsTable

export function findClassifierProblems(given: GivenSettings): string[] {
  const classifier = given.get('CLASSIFIER')
  if (classifier !== 'hybrid' && classifier !== 'model') return []
  return ['LANGUAGE_MODEL', ...Object.keys(TOKEN_PRICE_SETTINGS)]
    .filter((name) => !given.has(name))
    .map((name) => `${name}: is missing beside CLASSIFIER=${classifier}`)
}

type Values = ValuesOf<typeof CLASSIFIER_SETTINGS & typeof TOKEN_PRICE_SETTINGS & typeof CLASSIFY_THREAD_SETTINGS>

export function classifySettingsOf(values: Values): ClassifySettings {
  return { classifier: values.CLASSIFIER, secondLook: secondLookOf(values), classifyThreads: values.CLASSIFY_THREADS }
}

function secondLookOf(values: Values): ClassifySettings['secondLook'] {
  const { LANGUAGE_MODEL_INPUT_USD: input, LANGUAGE_MODEL_OUTPUT_USD: output } = values
  if (values.CLASSIFIER === 'offline' || input === undefined || output === undefined) return null
  return {
    dailyMicroUsd: values.CLASSIFIER_DAILY_USD_CAP,
    callsAtOnce: values.CLASSIFIER_CALLS_AT_ONCE,
    sureFrom: values.CLASSIFIER_SURE_FROM,
    prices: { input, output },
  }
}
