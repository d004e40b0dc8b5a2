import type { Row } from '../train/data.ts'
import { areaUnderCurve, type ClassFigures, classFigures, correlation, tagFigures } from './metrics.ts'

/** What is said of a row, under the names of its labels. */
export type Prediction = Readonly<Record<string, unknown>> & { id: string }

/** Every figure of a set; `score.mjs` of the data's folder prints the same ones. */
export type Figures = Record<string, unknown>

const LABELS = ['sentiment', 'label', 'irony', 'emotion', 'stance', 'purchase_intent', 'lang'] as const
const FLAGS = ['relevant', 'suggestion', 'complaint', 'comparison', 'spam', 'bot', 'churn_intent'] as const
const TAGS = ['labels', 'intents'] as const
const SETS_WITH_IRRELEVANT = ['twitter_entity', 'apple_dfe', 'sanders']
const IRRELEVANT = ['irrelevant', 'not_relevant']

/** The figures of a set's rows; rows and predictions stand in the same order. */
export function figuresOf(set: string, rows: readonly Row[], predictions: readonly Prediction[]): Figures {
  const figures: Figures = {}
  const first = rows[0]
  if (first === undefined) return figures
  const given = (at: number, field: string) => predictions[at]![field] as string | boolean | undefined
  const places = (fits: (row: Row) => boolean) => rows.flatMap((row, at) => (fits(row) ? [at] : []))
  const classes = (some: readonly number[], wantedOf: (row: Row) => unknown, givenOf: (at: number) => string | boolean | undefined): ClassFigures =>
    classFigures(
      some.map((at) => wantedOf(rows[at]!) as string),
      some.map(givenOf),
    )

  for (const field of LABELS.filter((one) => one in first)) {
    if (set === 'umsab_multilingual' && field === 'lang') continue
    const known = places((row) => row[field] !== null && row[field] !== undefined)
    if (set !== 'langid')
      figures[field] = classes(
        known,
        (row) => row[field],
        (at) => given(at, field),
      )
    else
      for (const source of ['eld-tweets', 'lingua-sentences']) {
        const { perClass, ...sums } = classes(
          known.filter((at) => rows[at]!.source === source),
          (row) => row[field],
          (at) => given(at, field),
        )
        figures[source] = sums
      }
  }
  if (set === 'umsab_multilingual')
    for (const lang of new Set(rows.map((row) => String(row.lang))))
      figures[`macroF1_${lang}`] = classes(
        places((row) => row.lang === lang),
        (row) => row.sentiment,
        (at) => given(at, 'sentiment'),
      ).macroF1
  if (SETS_WITH_IRRELEVANT.includes(set)) {
    const meant = places((row) => !IRRELEVANT.includes(String(row.label)))
    figures.sentimentOnly = classes(
      meant,
      (row) => row.label,
      (at) => given(at, 'sentiment') ?? given(at, 'label'),
    )
  }
  const flags = FLAGS.filter((one) => one in first)
  for (const field of flags)
    figures[field] = classes(
      places(() => true),
      (row) => Boolean(row[field]),
      (at) => Boolean(given(at, field)),
    )
  const scores = predictions.map(({ score }) => (typeof score === 'number' ? score : 0))
  const scored = predictions.some(({ score }) => typeof score === 'number')
  if (scored && (flags[0] !== undefined || set === 'twitter_entity'))
    figures.auc = areaUnderCurve(
      scores,
      rows.map((row) => (flags[0] === undefined ? row.label !== 'irrelevant' : Boolean(row[flags[0]]))),
    )
  if (typeof first.score === 'number')
    figures.pearson = correlation(
      scores,
      rows.map((row) => Number(row.score)),
    )
  for (const field of TAGS.filter((one) => Array.isArray(first[one])))
    figures[field] = tagFigures(
      rows.map((row) => row[field] as string[]),
      predictions.map((one) => (one[field] as string[] | undefined) ?? []),
    )
  return figures
}

/** The figure at a path such as `sentiment.macroF1`; null where the set has none. */
export function figureAt(figures: Figures, path: string): number | null {
  let value: unknown = figures
  for (const step of path.split('.')) value = typeof value === 'object' && value !== null ? (value as Figures)[step] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
