/**
 * Compares the built-in classifier with a language model on labelled mentions: figures, cost and time of `offline`,
 * `hybrid` and `model`. The server needs the chat completions interface of OpenAI. Its key is LANGUAGE_MODEL_KEY.
 *
 * npm run eval -- --model http://localhost:11434/v1 --name NAME every mention of the development part; with --rows N
 * only N of them; with --answers FILE answers are kept, and read again in the next run; with --input-usd and
 * --output-usd the prices of a million tokens; with --data DIR and --part PART other mentions, laid out in the same way
 */
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { judgeOf } from '../src/classify/offline/judge.ts'
import { loadGrams } from '../src/classify/offline/language/language-grams.ts'
import { loadModel } from '../src/classify/offline/model/model-file.ts'
import { SECOND_MS, systemClock } from '../src/kernel/clock.ts'
import { createOpenAiModel } from '../src/models/openai/openai.ts'
import { unseenMentions, unseenOdds } from './eval/mentions.ts'
import { ModelAnswers } from './eval/model-answers.ts'
import { compareWithModel, type JudgedRow } from './eval/model-comparison.ts'
import { comparisonTable, faultsOf, offlineMilliseconds } from './eval/model-table.ts'
import { MENTIONS_GOLD } from './eval/sets/relevance.ts'
import { subjectOf } from './eval/subjects.ts'
import { DATA_FOLDER, linesOf, type Row } from './train/data.ts'

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    name: { type: 'string' },
    answers: { type: 'string' },
    rows: { type: 'string' },
    'input-usd': { type: 'string', default: '0' },
    'output-usd': { type: 'string', default: '0' },
    'calls-at-once': { type: 'string', default: '4' },
    'timeout-seconds': { type: 'string', default: '120' },
    data: { type: 'string' },
    part: { type: 'string', default: 'dev' },
  },
})
const url = addressIn(values.model)
if (values.name === undefined) throw new Error('--name is missing: the name of the model, as its server calls it')
const prices = {
  input: microUsdFrom('input-usd'),
  output: microUsdFrom('output-usd'),
}
const callsAtOnce = numberFrom('calls-at-once', 1, 8)
const timeoutMs = numberFrom('timeout-seconds', 1, 600) * SECOND_MS
const rows = rowsToJudge()
const answers = new ModelAnswers(values.answers ?? null)

const model = await loadModel()
const judge = judgeOf(model, await loadGrams())
const isDevelopment = values.data === undefined && values.part === 'dev'
if (isDevelopment) console.log('Judging the mentions offline, each by weights that have not seen its term ...')
const judged = judgedOffline()
console.log(`Asking ${values.name} about ${rows.length} mentions ...`)
const compared = await compareWithModel(judged, {
  model: createOpenAiModel({
    url,
    key: process.env.LANGUAGE_MODEL_KEY ?? null,
    model: values.name,
    timeoutMs,
    clock: systemClock,
  }),
  answers,
  prices,
  callsAtOnce,
})
for (const fault of faultsOf(answers.calls)) console.log(fault)
if (compared.every(({ isAnswered }) => !isAnswered))
  throw new Error('the model answered for no mention: check --model, --name and LANGUAGE_MODEL_KEY')
const effort = { calls: answers.calls, prices, offlineMilliseconds: offlineMilliseconds(judge, rows) }
console.log(`\n${comparisonTable(compared, effort)}`)

function judgedOffline(): JudgedRow[] {
  const verdicts = rows.map((row) => judge(subjectOf(MENTIONS_GOLD, row)).verdict)
  if (!isDevelopment) return rows.map((row, at) => ({ row, offline: verdicts[at]! }))
  const unseen = new Map(unseenMentions(unseenOdds(model)).map((prediction) => [prediction.id, prediction]))
  return rows.map((row, at) => {
    const { score, sentiment, intents, confidence } = unseen.get(row.id)!
    return { row, offline: { ...verdicts[at]!, relevance: score, sentiment, intents, confidence } }
  })
}

/** With `--rows` they are spread evenly over the file. */
function rowsToJudge(): readonly Row[] {
  const base = values.data === undefined ? DATA_FOLDER : pathToFileURL(`${values.data}/`)
  const address = new URL(`sets/${MENTIONS_GOLD.name}/${values.part}.jsonl`, base)
  if (!existsSync(address)) throw new Error(`The labelled mentions are not there: ${fileURLToPath(address)}`)
  const all = linesOf(address)
  if (values.rows === undefined) return all
  const count = Math.min(all.length, numberFrom('rows', 1, Number.MAX_SAFE_INTEGER))
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]!)
}

function addressIn(text: string | undefined): string {
  if (text === undefined || !/^https?:\/\/[^/]/.test(text))
    throw new Error('--model must be an http or https address such as http://localhost:11434/v1')
  return text.replace(/\/+$/, '')
}

function numberFrom(option: 'rows' | 'calls-at-once' | 'timeout-seconds', least: number, most: number): number {
  const number = Number(values[option])
  if (!Number.isInteger(number) || number < least || number > most)
    throw new Error(`--${option} must be a whole number from ${least} to ${most}`)
  return number
}

/** Millionths of a dollar for a million tokens. */
function microUsdFrom(option: 'input-usd' | 'output-usd'): number {
  const dollars = Number(values[option])
  if (!Number.isFinite(dollars) || dollars < 0 || dollars > 1000)
    throw new Error(`--${option} must be an amount of dollars from 0 to 1000`)
  return Math.round(dollars * 1_000_000)
}
