/**
 * Prints how the offline classifier does on every labelled set, beside what has to be reached and what others reach, and
 * writes `docs/classifier.md`. Of sets that may train, only rows that no weight has seen are judged, by the model that was
 * learned without them; other parts are judged by the model that is shipped.
 *
 *   npm run eval                                      the development parts in ../shared/data
 *   npm run eval -- --data DIR --part holdout         other parts, laid out in the same way; writes no document
 *   npm run eval -- --predictions DIR                 also one file of predictions a set, for score.mjs of the data's folder
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Mark } from '../src/classify/contract.ts'
import { judgeOf } from '../src/classify/offline/judge.ts'
import { loadGrams } from '../src/classify/offline/language-grams.ts'
import { loadModel } from '../src/classify/offline/model-file.ts'
import { RELEVANCE_THRESHOLD } from '../src/domain/mention/classification.ts'
import { documentOf, tablesOf } from './eval/document.ts'
import type { Prediction } from './eval/figures.ts'
import { calibrationsOf, type Judge, languageLines, linesOf, marksLines, relevanceIn, reportOn } from './eval/report.ts'
import { mayTrain } from './eval/sets.ts'
import { DATA_FOLDER, isValidation, linesOf as linesIn, type Row, rowsOf } from './train/data.ts'
import { judgedForShipped } from './train/judged.ts'
import { type UnseenJudge, unseenJudge } from './train/relevance.ts'

const DOCUMENT = new URL('../docs/classifier.md', import.meta.url)
const TEMPLATE = new URL('./eval/classifier.template.md', import.meta.url)

const { values } = parseArgs({ options: { data: { type: 'string' }, part: { type: 'string' }, predictions: { type: 'string' } } })
const elsewhere = values.data !== undefined || values.part !== undefined
const model = elsewhere ? await loadModel() : await judgedForShipped()
const judge: Judge = judgeOf(model, await loadGrams())
const rowsOfSet = remembered(elsewhere ? partReader(values.data, values.part ?? 'dev') : ownRows)
let unseen: UnseenJudge | null = null
const reports = reportOn(judge, rowsOfSet, (set) => (elsewhere ? null : unseenTerms(set)))
if (reports.length === 0) throw new Error(`there are no labelled sets in ${values.data ?? fileURLToPath(DATA_FOLDER)}`)
const tables = tablesOf({
  lines: [...linesOf(reports), ...languageLines(judge, rowsOfSet), ...marksLines(elsewhere ? relevanceIn(judge) : relevanceUnseen, rowsOfSet)],
  reports,
  calibrations: calibrationsOf(reports),
})
for (const [name, table] of Object.entries(tables)) console.log(`\n${name}\n\n${table}`)
if (values.predictions !== undefined) writePredictions(values.predictions)
if (!elsewhere) writeFileSync(DOCUMENT, documentOf(readFileSync(TEMPLATE, 'utf8'), tables))

/** Rows that no weight has seen: all of a set that does not train, the validation rows of one that does. */
function ownRows(set: string): readonly Row[] {
  // Its terms are judged by weights that never saw them, so all of it can be.
  return mayTrain(set) && set !== 'relevance_reddit' ? rowsOf(set).filter((row) => isValidation(set, row)) : rowsOf(set)
}

function partReader(folder: string | undefined, part: string): (set: string) => readonly Row[] {
  const base = folder === undefined ? DATA_FOLDER : pathToFileURL(`${folder}/`)
  return (set) => {
    const address = new URL(`sets/${set}/${part}.jsonl`, base)
    return existsSync(address) ? linesIn(address) : []
  }
}

/** The shipped weights have seen every term of the development part, so others judge it that have not. */
function unseenTerms(set: string): Prediction[] | null {
  if (set !== 'relevance_reddit') return null
  return rowsOf(set).map((row) => {
    const score = relevanceUnseen(row, [])
    return { id: row.id, relevant: score >= RELEVANCE_THRESHOLD, score }
  })
}

function relevanceUnseen(row: Row, marks: readonly Mark[]): number {
  unseen ??= unseenJudge(model)
  return unseen({ term: String(row.term), text: row.text }, marks)
}

function writePredictions(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { set, predictions } of reports) writeFileSync(join(folder, `${set.name}.jsonl`), predictions.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

function remembered(read: (set: string) => readonly Row[]): (set: string) => readonly Row[] {
  const known = new Map<string, readonly Row[]>()
  return (set) => {
    const rows = known.get(set) ?? read(set)
    known.set(set, rows)
    return rows
  }
}
