import type { Mark, Subject } from '../../src/classify/contract.ts'
import type { OfflineJudgement } from '../../src/classify/offline/judge.ts'
import type { Row } from '../train/data.ts'
import { type Figures, figureAt, figuresOf, figuresOver, type Prediction } from './figures.ts'
import { type Interval, intervalsOf } from './intervals.ts'
import { areaUnderCurve, type Calibration, calibrationOf, once, type Weights, weightedMean } from './metrics.ts'
import type { EvaluatedSet, Target } from './sets/set.ts'
import { SETS } from './sets.ts'
import { subjectOf } from './subjects.ts'

export type Judge = (subject: Subject) => OfflineJudgement

/** Who judges a row: of a set that trains, weights that have not seen it. */
export type JudgeFor = (set: string, row: Row) => Judge

/** How the classifier does on one set. */
export interface SetReport {
  set: EvaluatedSet
  rows: readonly Row[]
  predictions: readonly Prediction[]
  figures: Figures
  confidences: readonly number[]
}

/** One figure beside what it has to reach. */
export interface Line {
  set: string
  target: Target
  rows: number
  value: number
  interval: Interval
  reached: 'stretch' | 'must' | 'short' | null
}

/**
 * Judges every row of the sets that have any. `given` replaces the judgement of a set by predictions made elsewhere.
 */
export function reportOn(
  judgeFor: JudgeFor,
  rowsOf: (set: string) => readonly Row[],
  given: (set: string) => readonly Prediction[] | null,
): SetReport[] {
  return SETS.flatMap((set) => {
    const rows = rowsOf(set.name)
    if (rows.length === 0) return []
    const made = given(set.name)
    const confidences = (made ?? []).flatMap(({ confidence }) => (typeof confidence === 'number' ? [confidence] : []))
    const predictions =
      made ??
      rows.map((row): Prediction => {
        const judgement = judgeFor(set.name, row)(subjectOf(set, row))
        confidences.push(judgement.verdict.confidence)
        return { id: row.id, ...set.predict(judgement, row) }
      })
    return [{ set, rows, predictions, figures: figuresOf(set.name, rows, predictions), confidences }]
  })
}

/** The figures that are asked for, in the order of the sets. */
export function linesOf(reports: readonly SetReport[]): Line[] {
  return reports.flatMap((report) => {
    const asked = report.set.targets.flatMap((target) => {
      const value = figureAt(report.figures, target.path)
      return value === null ? [] : [{ target, value }]
    })
    const intervals = figureIntervals(
      report,
      asked.map(({ target }) => target.path),
    )
    return asked.map(({ target, value }, at) =>
      lineOf(report.set.name, target, report.rows.length, value, intervals[at]!),
    )
  })
}

/** Over the rows of a set, or over what its rows belong to. */
export function figureIntervals(
  { set, rows, predictions }: Pick<SetReport, 'set' | 'rows' | 'predictions'>,
  paths: readonly string[],
): Interval[] {
  const figures = figuresOver(set.name, rows, predictions)
  const at = (weights: Weights) => {
    const found = figures(weights)
    return paths.map((path) => figureAt(found, path))
  }
  if (set.unitOf === undefined) return intervalsOf(rows.length, at)
  const names = rows.map(set.unitOf)
  const units = [...new Set(names)]
  const unitOfRow = names.map((name) => units.indexOf(name))
  return intervalsOf(units.length, (drawn) => at(Int32Array.from(unitOfRow, (unit) => drawn[unit]!)))
}

export function lineOf(set: string, target: Target, rows: number, value: number, interval: Interval): Line {
  return { set, target, rows, value, interval, reached: reachedBy(value, target) }
}

export function reachedBy(value: number, { must, stretch }: Pick<Target, 'must' | 'stretch'>): Line['reached'] {
  if (must === undefined) return null
  if (stretch !== undefined && value >= stretch) return 'stretch'
  return value >= must ? 'must' : 'short'
}

/** Figures of the language beyond the sets' own: the main languages, other tweets, and short texts. */
export function languageLines(judgeFor: JudgeFor, rowsOf: (set: string) => readonly Row[]): Line[] {
  const langid = SETS.find(({ name }) => name === 'langid')!
  const sentences = rowsOf('langid').filter(({ source }) => source === 'lingua-sentences')
  const tweets = rowsOf('langid').filter(({ source }) => source === 'eld-tweets')
  const umsab = rowsOf('umsab_multilingual').filter(({ lang }) => lang !== 'hi')
  const parts: [string, string, readonly Row[], Pick<Target, 'must' | 'stretch' | 'peers'>][] = [
    [
      'langid',
      'sentences, 26 main languages',
      sentences.filter(({ lang }) => MAIN_LANGUAGES.has(String(lang))),
      { must: 95, stretch: 96.5, peers: 'eld-L 95.7, tinyld 94.6' },
    ],
    [
      'langid',
      'tweets under 40 characters',
      tweets.filter(({ text }) => text.length < SHORT),
      { must: 97.5, stretch: 99, peers: 'eld-L 99.2, tinyld 81.5' },
    ],
    ['umsab_multilingual', 'language, without Hindi', umsab, { must: 97.5, stretch: 98.5, peers: 'eld-L 97.9' }],
  ]
  return parts.flatMap(([set, name, rows, target]) => {
    if (rows.length === 0) return []
    const asked = { ...langid, platformOf: set === 'langid' ? langid.platformOf : () => 'x' as const }
    const right = rows.map((row) => Number(judgeFor(set, row)(subjectOf(asked, row)).verdict.language === row.lang))
    return [meanLine(set, { path: '', name, ...target }, rows.length, right, 100)]
  })
}

/** The line of a figure that is the mean of these values, times `scale`, with two decimals. */
function meanLine(set: string, target: Target, rows: number, values: readonly number[], scale: number): Line {
  const meanOf = (weights: Weights) => Math.round(100 * scale * weightedMean(values, weights)) / 100
  return lineOf(
    set,
    target,
    rows,
    meanOf(once(values.length)),
    intervalsOf(values.length, (drawn) => [meanOf(drawn)])[0]!,
  )
}

/** How well the confidence tells right verdicts from wrong ones, on the sets that are asked of. */
export function calibrationsOf(
  reports: readonly SetReport[],
): { set: string; field: string; calibration: Calibration }[] {
  return CALIBRATED.flatMap(([name, field]) => {
    const report = reports.find(({ set }) => set.name === name)
    if (report === undefined || report.confidences.length === 0) return []
    const rows = report.rows.flatMap((row, at) =>
      row[field] === null
        ? []
        : [{ confidence: report.confidences[at]!, right: report.predictions[at]![field] === row[field] }],
    )
    return [{ set: name, field, calibration: calibrationOf(rows) }]
  })
}

/** How relevant a row of an ambiguous word is, 0 to 100, after these marks. */
export type RelevanceOf = (row: Row, marks: readonly Mark[]) => number

/** That of the classifier as it is. */
export function relevanceIn(judge: Judge): RelevanceOf {
  const set = ambiguousWords()
  return (row, marks) => judge(subjectOf(set, row, marks)).verdict.relevance
}

function ambiguousWords(): EvaluatedSet {
  return SETS.find(({ name }) => name === 'relevance_reddit')!
}

/** What a team's marks bring for a keyword: the mean over terms of the AUC, after so many marks of each kind. */
export function marksLines(relevanceOf: RelevanceOf, rowsOf: (set: string) => readonly Row[]): Line[] {
  const set = ambiguousWords()
  const rows = rowsOf(set.name)
  const terms = [...new Set(rows.map((row) => String(row.term)))]
  return MARKED.flatMap(({ each, ...asked }) => {
    const areas = terms.flatMap((term) => {
      const own = rows.filter((row) => row.term === term)
      const drawn = Array.from({ length: DRAWS }, (_, draw) => areaAfterMarks(relevanceOf, own, each, draw)).filter(
        (area) => area !== null,
      )
      return drawn.length === 0 ? [] : [drawn.reduce((sum, area) => sum + area, 0) / drawn.length]
    })
    if (areas.length === 0) return []
    const name = each === 0 ? 'mean AUC of a term, no marks' : `mean AUC of a term after ${each} + ${each} marks`
    return [meanLine(set.name, { path: '', name, ...asked }, rows.length, areas, 1)]
  })
}

/** Null where a term has too few posts of either kind to mark some and judge others. */
function areaAfterMarks(relevanceOf: RelevanceOf, rows: readonly Row[], each: number, draw: number): number | null {
  const shuffled = shuffledBy(rows, draw)
  const kinds = [true, false].map((relevant) => shuffled.filter((row) => row.relevant === relevant))
  // Every number of marks is judged on the same posts.
  if (kinds.some(({ length }) => length < MOST_EACH + 5)) return null
  const marks = kinds.flatMap((kind) =>
    kind.slice(0, each).map((row) => ({ relevant: row.relevant === true, sentiment: null, text: row.text })),
  )
  const others = kinds.flatMap((kind) => kind.slice(MOST_EACH))
  return areaUnderCurve(
    others.map((row) => relevanceOf(row, marks)),
    others.map((row) => row.relevant === true),
  )(once(others.length))
}

/** The same rows in another order for each draw, and always the same one. */
export function shuffledBy(rows: readonly Row[], draw: number): Row[] {
  const keyOf = ({ id }: Row) =>
    [...`${draw}:${id}:${draw}`].reduce(
      (hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 0x01000193),
      0x811c9dc5,
    ) >>> 0
  return rows
    .map((row) => ({ row, key: Math.imul(keyOf(row), 0x9e3779b1) >>> 0 }))
    .sort((first, second) => first.key - second.key)
    .map(({ row }) => row)
}

/**
 * The description of the data names 26 main languages and not which; these are the 26 of its sentences with most
 * speakers online.
 */
const MAIN_LANGUAGES: ReadonlySet<string> = new Set(
  'ar bg cs da de el en es fi fr he hi hu it ja ko nb nl pl pt ro ru sv tr uk zh'.split(' '),
)
const SHORT = 40
const CALIBRATED = [
  ['mentions_gold', 'sentiment'],
  ['tweeteval_sentiment', 'sentiment'],
  ['appreviews_gplay8000', 'label'],
] as const
const MOST_EACH = 10
const DRAWS = 3
const MARKED: readonly ({ each: number } & Pick<Target, 'must' | 'stretch' | 'peers'>)[] = [
  { each: 0, peers: 'reference LR 76.9' },
  { each: 5, must: 88, stretch: 92, peers: 'reference LR 88.3, marks alone 85.3' },
  { each: 10, must: 92, stretch: 95, peers: 'reference LR 92.2, marks alone 90.8' },
]
