import type { Row } from '../train/data.ts'
import {
  areaUnderCurve,
  type ClassFigures,
  classFigures,
  correlation,
  type Label,
  type Measure,
  once,
  tagFigures,
} from './metrics.ts'

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
  return figuresOver(set, rows, predictions)(once(rows.length))
}

/** The figures of a set's rows, each of which may count several times or not at all. */
export function figuresOver(set: string, rows: readonly Row[], predictions: readonly Prediction[]): Measure<Figures> {
  const measures: [name: string, measure: Measure<unknown>][] = []
  const first = rows[0]
  if (first === undefined) return () => ({})
  const add = <Value>(name: string, measure: Measure<Value>, taken: (value: Value) => unknown = (value) => value) =>
    measures.push([name, (weights) => taken(measure(weights))])
  const given = (field: string) => (at: number) => predictions[at]![field] as Label
  const classes = (
    fits: (row: Row) => boolean,
    wantedOf: (row: Row) => unknown,
    givenOf: (at: number) => Label,
  ): Measure<ClassFigures> => {
    const places = [...rows.keys()].filter((at) => fits(rows[at]!))
    return amongst(
      places,
      classFigures(
        places.map((at) => wantedOf(rows[at]!) as Label),
        places.map(givenOf),
      ),
    )
  }

  for (const field of LABELS.filter((item) => item in first)) {
    if (set === 'umsab_multilingual' && field === 'lang') continue
    const wanted = (row: Row) => row[field]
    const isKnown = (row: Row) => row[field] !== null && row[field] !== undefined
    if (set !== 'langid') add(field, classes(isKnown, wanted, given(field)))
    else
      for (const source of ['eld-tweets', 'lingua-sentences'])
        add(
          source,
          classes((row) => isKnown(row) && row.source === source, wanted, given(field)),
          ({ perClass, ...sums }) => sums,
        )
  }
  if (set === 'umsab_multilingual')
    for (const lang of new Set(rows.map((row) => String(row.lang)))) {
      const ofLanguage = classes(
        (row) => row.lang === lang,
        (row) => row.sentiment,
        given('sentiment'),
      )
      add(`macroF1_${lang}`, ofLanguage, ({ macroF1 }) => macroF1)
    }
  if (SETS_WITH_IRRELEVANT.includes(set))
    add(
      'sentimentOnly',
      classes(
        (row) => !IRRELEVANT.includes(String(row.label)),
        (row) => row.label,
        (at) => given('sentiment')(at) ?? given('label')(at),
      ),
    )
  const flags = FLAGS.filter((item) => item in first)
  for (const field of flags)
    add(
      field,
      classes(
        () => true,
        (row) => Boolean(row[field]),
        (at) => Boolean(given(field)(at)),
      ),
    )
  const scores = predictions.map(({ score }) => (typeof score === 'number' ? score : 0))
  const scored = predictions.some(({ score }) => typeof score === 'number')
  if (scored && (flags[0] !== undefined || set === 'twitter_entity')) {
    const wanted = rows.map((row) => (flags[0] === undefined ? row.label !== 'irrelevant' : Boolean(row[flags[0]])))
    add('auc', areaUnderCurve(scores, wanted))
  }
  if (typeof first.score === 'number') {
    const wanted = rows.map((row) => Number(row.score))
    add('pearson', correlation(scores, wanted))
  }
  for (const field of TAGS.filter((item) => Array.isArray(first[item])))
    add(
      field,
      tagFigures(
        rows.map((row) => row[field] as string[]),
        predictions.map((prediction) => (prediction[field] as string[] | undefined) ?? []),
      ),
    )
  return (weights) => Object.fromEntries(measures.map(([name, measure]) => [name, measure(weights)]))
}

/** What is measured of some rows alone. */
function amongst<Value>(places: readonly number[], measure: Measure<Value>): Measure<Value> {
  const own = new Int32Array(places.length)
  return (weights) => {
    for (let at = 0; at < own.length; at += 1) own[at] = weights[places[at]!]!
    return measure(own)
  }
}

/** The figure at a path such as `sentiment.macroF1`; null where the set has none. */
export function figureAt(figures: Figures, path: string): number | null {
  let value: unknown = figures
  for (const step of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Figures)[step] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
