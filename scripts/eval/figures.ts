import type { Row } from '../train/data.ts'
import {
  areaUnderCurve,
  type ClassFigures,
  classFigures,
  correlation,
  type Label,
  type Measure,
  meanF1,
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
/** The label `about` of a mention that is worth reading, and the score from which relevance says so. */
const WORTH_READING = 2
const WORTH_FROM = 70
/** In rows. */
const COMMON_INTENT = 20
const IRRELEVANT = ['irrelevant', 'not_relevant']

/** The figures of a set's rows; rows and predictions stand in the same order. */
export function figuresOf(set: string, rows: readonly Row[], predictions: readonly Prediction[]): Figures {
  return figuresOver(set, rows, predictions)(once(rows.length))
}

/** The figures of a set's rows, each of which may count several times or not at all. */
export function figuresOver(set: string, rows: readonly Row[], predictions: readonly Prediction[]): Measure<Figures> {
  const first = rows[0]
  if (first === undefined) return () => ({})
  const told: Told = { set, rows, predictions, first }
  const measures = [
    ...labelMeasures(told),
    ...languageMeasures(told),
    ...sentimentOnly(told),
    ...flagMeasures(told),
    ...scoreMeasures(told),
    ...worthMeasures(told),
    ...tagMeasures(told),
  ]
  return (weights) => Object.fromEntries(measures.map(([name, measure]) => [name, measure(weights)]))
}

/** A set, and what was said of its rows. */
interface Told {
  set: string
  rows: readonly Row[]
  predictions: readonly Prediction[]
  /** Which labels a set has is seen in its first row. */
  first: Row
}

type Named = [name: string, measure: Measure<unknown>]

function labelMeasures({ set, rows, predictions, first }: Told): Named[] {
  return LABELS.filter((field) => field in first && !(set === 'umsab_multilingual' && field === 'lang')).flatMap(
    (field): Named[] => {
      const wanted = (row: Row) => row[field]
      const isKnown = (row: Row) => row[field] !== null && row[field] !== undefined
      if (set !== 'langid') return [[field, classes(rows, isKnown, wanted, givenIn(predictions, field))]]
      return ['eld-tweets', 'lingua-sentences'].map((source) => {
        const fits = (row: Row) => isKnown(row) && row.source === source
        const measure = classes(rows, fits, wanted, givenIn(predictions, field))
        return [source, taken(measure, ({ perClass, ...sums }) => sums)]
      })
    },
  )
}

function languageMeasures({ set, rows, predictions }: Told): Named[] {
  if (set !== 'umsab_multilingual') return []
  const sentimentOf = (row: Row) => row.sentiment
  return [...new Set(rows.map((row) => String(row.lang)))].map((lang) => {
    const fits = (row: Row) => row.lang === lang
    const measure = classes(rows, fits, sentimentOf, givenIn(predictions, 'sentiment'))
    return [`macroF1_${lang}`, taken(measure, ({ macroF1 }) => macroF1)]
  })
}

function sentimentOnly({ set, rows, predictions }: Told): Named[] {
  if (!SETS_WITH_IRRELEVANT.includes(set)) return []
  const fits = (row: Row) => !IRRELEVANT.includes(String(row.label))
  const [sentiment, label] = [givenIn(predictions, 'sentiment'), givenIn(predictions, 'label')]
  return [
    [
      'sentimentOnly',
      classes(
        rows,
        fits,
        (row) => row.label,
        (at) => sentiment(at) ?? label(at),
      ),
    ],
  ]
}

function flagsOf(first: Row) {
  return FLAGS.filter((field) => field in first)
}

function flagMeasures({ rows, predictions, first }: Told): Named[] {
  return flagsOf(first).map((field) => {
    const given = givenIn(predictions, field)
    const wanted = (row: Row) => Boolean(row[field])
    return [
      field,
      classes(
        rows,
        () => true,
        wanted,
        (at) => Boolean(given(at)),
      ),
    ]
  })
}

function scoreMeasures({ set, rows, predictions, first }: Told): Named[] {
  const measures: Named[] = []
  const flag = flagsOf(first)[0]
  const scores = predictions.map(({ score }) => (typeof score === 'number' ? score : 0))
  const scored = predictions.some(({ score }) => typeof score === 'number')
  if (scored && (flag !== undefined || set === 'twitter_entity')) {
    const wanted = rows.map((row) => (flag === undefined ? row.label !== 'irrelevant' : Boolean(row[flag])))
    measures.push(['auc', areaUnderCurve(scores, wanted)])
  }
  if (typeof first.score === 'number') {
    const wanted = rows.map((row) => Number(row.score))
    measures.push(['pearson', correlation(scores, wanted)])
  }
  return measures
}

/** How well the score tells mentions that are worth reading from the others. */
function worthMeasures({ rows, predictions, first }: Told): Named[] {
  if (!('about' in first)) return []
  const scores = predictions.map(({ score }) => Number(score))
  const worth = (row: Row) => row.about === WORTH_READING
  const intents = tagFigures(
    rows.map((row) => row.intents as string[]),
    predictions.map((prediction) => prediction.intents as string[]),
  )
  return [
    ['worthAuc', areaUnderCurve(scores, rows.map(worth))],
    [
      'worth',
      classes(
        rows,
        () => true,
        worth,
        (at) => scores[at]! >= WORTH_FROM,
      ),
    ],
    ['macroF1OfCommonIntents', (weights) => meanF1(intents(weights).per, COMMON_INTENT)],
  ]
}

function tagMeasures({ rows, predictions, first }: Told): Named[] {
  return TAGS.filter((field) => Array.isArray(first[field])).map((field) => [
    field,
    tagFigures(
      rows.map((row) => row[field] as string[]),
      predictions.map((prediction) => (prediction[field] as string[] | undefined) ?? []),
    ),
  ])
}

function givenIn(predictions: readonly Prediction[], field: string): (at: number) => Label {
  return (at) => predictions[at]![field] as Label
}

function taken<Value>(measure: Measure<Value>, part: (value: Value) => unknown): Measure<unknown> {
  return (weights) => part(measure(weights))
}

/** How well labels are told apart among the rows that fit. */
function classes(
  rows: readonly Row[],
  fits: (row: Row) => boolean,
  wantedOf: (row: Row) => unknown,
  givenOf: (at: number) => Label,
): Measure<ClassFigures> {
  const places = [...rows.keys()].filter((at) => fits(rows[at]!))
  const wanted = places.map((at) => wantedOf(rows[at]!) as Label)
  return amongst(places, classFigures(wanted, places.map(givenOf)))
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
