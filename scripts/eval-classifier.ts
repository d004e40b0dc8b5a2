/**
 * Prints how the offline classifier does on every labelled set, beside what has to be reached and what others reach,
 * and writes `docs/notebook/classifier.md`. Every row of the sets that train is judged by a model that was learned
 * without it; the other sets, and other parts, are judged by the model that is shipped.
 *
 * npm run eval the development parts in ../shared/data npm run eval -- --data DIR --part holdout other parts, laid out
 * in the same way; writes no document npm run eval -- --predictions DIR also one file of predictions a set, for
 * score.mjs of the data's folder
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Mark } from '../src/classify/contract.ts'
import { judgeOf } from '../src/classify/offline/judge.ts'
import { loadGrams } from '../src/classify/offline/language/language-grams.ts'
import { loadModel } from '../src/classify/offline/model/model-file.ts'
import { RELEVANCE_THRESHOLD } from '../src/domain/mention/classification.ts'
import { documentOf, tablesOf } from './eval/document.ts'
import type { Prediction } from './eval/figures.ts'
import { judgedRows, judgesApart } from './eval/judges.ts'
import { type UnseenOdds, unseenMentions, unseenOdds } from './eval/mentions.ts'
import { replayLines } from './eval/replay.ts'
import { calibrationsOf, languageLines, linesOf, marksLines, relevanceIn, reportOn } from './eval/report.ts'
import { DATA_FOLDER, linesOf as linesIn, type Row, rowsOf, TENTHS } from './train/data.ts'
import { judgedForShipped } from './train/judged.ts'
import { type UnseenJudge, unseenJudge } from './train/relevance.ts'

const DOCUMENT = new URL('../docs/notebook/classifier.md', import.meta.url)
const TEMPLATE = new URL('./eval/classifier.template.md', import.meta.url)

const { values } = parseArgs({
  options: { data: { type: 'string' }, part: { type: 'string' }, predictions: { type: 'string' } },
})
const elsewhere = values.data !== undefined || values.part !== undefined
const grams = await loadGrams()
const shipped = await loadModel()
const shippedJudge = judgeOf(shipped, grams)
const apartJudges = elsewhere ? [] : judgedForShipped().map((model) => judgeOf(model, grams))
const judgeFor = elsewhere ? () => shippedJudge : judgesApart(shippedJudge, apartJudges)
const rowsOfSet = remembered(
  elsewhere ? partReader(values.data, values.part ?? 'dev') : (set) => judgedRows(set, rowsOf(set), apartJudges.length),
)
let unseen: UnseenJudge | null = null
let mentionsUnseen: UnseenOdds[] | null = null
const reports = reportOn(judgeFor, rowsOfSet, (set) => (elsewhere ? null : unseenTerms(set)))
if (reports.length === 0) throw new Error(`there are no labelled sets in ${values.data ?? fileURLToPath(DATA_FOLDER)}`)
const tables = tablesOf({
  lines: [
    ...linesOf(reports),
    ...languageLines(judgeFor, rowsOfSet),
    ...marksLines(elsewhere ? relevanceIn(shippedJudge) : relevanceUnseen, rowsOfSet),
    ...(elsewhere ? [] : replayLines(shipped, mentionOddsUnseen())),
  ],
  reports,
  calibrations: calibrationsOf(reports),
})
for (const [name, table] of Object.entries(tables)) console.log(`\n${name}\n\n${table}`)
if (values.predictions !== undefined) writePredictions(values.predictions)
if (apartJudges.length === TENTHS) writeFileSync(DOCUMENT, documentOf(readFileSync(TEMPLATE, 'utf8'), tables))
else if (!elsewhere)
  console.log(
    `\n${fileURLToPath(DOCUMENT)} stays as it is: only ${apartJudges.length} tenths of the sets that train were judged`,
  )

function partReader(folder: string | undefined, part: string): (set: string) => readonly Row[] {
  const base = folder === undefined ? DATA_FOLDER : pathToFileURL(`${folder}/`)
  return (set) => {
    const address = new URL(`sets/${set}/${part}.jsonl`, base)
    return existsSync(address) ? linesIn(address) : []
  }
}

/** The shipped weights have seen every term of the development part, so others judge it that have not. */
function unseenTerms(set: string): Prediction[] | null {
  if (set === 'mentions_gold') return unseenMentions(mentionOddsUnseen())
  if (set !== 'relevance_reddit') return null
  return rowsOf(set).map((row) => {
    const score = relevanceUnseen(row, [])
    return { id: row.id, relevant: score >= RELEVANCE_THRESHOLD, score }
  })
}

function mentionOddsUnseen(): UnseenOdds[] {
  mentionsUnseen ??= unseenOdds(shipped)
  return mentionsUnseen
}

function relevanceUnseen(row: Row, marks: readonly Mark[]): number {
  unseen ??= unseenJudge(shipped)
  return unseen({ term: String(row.term), text: row.text }, marks)
}

function writePredictions(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { set, predictions } of reports)
    writeFileSync(
      join(folder, `${set.name}.jsonl`),
      predictions.map((prediction) => `${JSON.stringify(prediction)}\n`).join(''),
    )
}

function remembered(read: (set: string) => readonly Row[]): (set: string) => readonly Row[] {
  const known = new Map<string, readonly Row[]>()
  return (set) => {
    const rows = known.get(set) ?? read(set)
    known.set(set, rows)
    return rows
  }
}
