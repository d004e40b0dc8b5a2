import { performance } from 'node:perf_hooks'
import type { Subject } from '../../src/classify/contract.ts'
import { costOf, type Prices } from '../../src/classify/language-model/call-cost.ts'
import type { Verdict } from '../../src/domain/mention/classification.ts'
import type { Row } from '../train/data.ts'
import { figureAt, figuresOf } from './figures.ts'
import type { ModelCall } from './model-answers.ts'
import type { ComparedRow } from './model-comparison.ts'
import { MENTIONS_GOLD } from './sets/relevance.ts'
import { subjectOf } from './subjects.ts'

/** What the classifiers took. */
export interface Effort {
  calls: readonly ModelCall[]
  prices: Prices
  /** Of the built-in model for all rows. */
  offlineMilliseconds: number
}

/** Figures, cost and time of a comparison as a Markdown table. The effort of `hybrid` is its share of the calls. */
export function comparisonTable(rows: readonly ComparedRow[], effort: Effort): string {
  const asked = rows.filter(({ isAsked }) => isAsked)
  return [
    ['Figure', 'offline', 'hybrid', 'model', 'wanted'],
    ['---', '---:', '---:', '---:', '---:'],
    ...figureLines(rows),
    ['mentions that the model is asked about, %', '0', percent(asked.length / rows.length), '100', ''],
    ['of these answered, %', '', percent(answeredShare(asked)), percent(answeredShare(rows)), ''],
    ...effortLines(rows.length, asked.length / rows.length, effort),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function figureLines(rows: readonly ComparedRow[]): string[][] {
  const columns = (['offline', 'hybrid', 'model'] as const).map((name) =>
    figuresOf(
      MENTIONS_GOLD.name,
      rows.map(({ row }) => row),
      rows.map((item) => ({ id: item.row.id, ...predictionOf(item[name]) })),
    ),
  )
  return MENTIONS_GOLD.targets.map(({ path, name, must }) => [
    `${name}, %`,
    ...columns.map((column) => String(figureAt(column, path) ?? '')),
    String(must ?? ''),
  ])
}

function effortLines(rows: number, askedShare: number, { calls, prices, offlineMilliseconds }: Effort): string[][] {
  const microUsd = calls.reduce(
    (sum, { inputTokens, outputTokens }) => sum + costOf(inputTokens ?? 0, outputTokens ?? 0, prices),
    0,
  )
  const dollars = (1000 * microUsd) / rows / 1_000_000
  const times = calls.map(({ milliseconds }) => milliseconds).sort((first, second) => first - second)
  const modelSeconds = times.reduce((sum, time) => sum + time, 0) / rows
  const ownSeconds = offlineMilliseconds / rows
  const callSeconds = (milliseconds = 0) => (milliseconds / 1000).toFixed(2)
  return [
    ['dollars for 1,000 mentions', '0', (dollars * askedShare).toFixed(4), dollars.toFixed(4), ''],
    [
      'seconds for 1,000 mentions, calls one after another',
      ...[0, askedShare, 1].map((share) => (ownSeconds + share * modelSeconds).toFixed(2)),
      '',
    ],
    ['seconds of the median call', '', '', callSeconds(times[Math.floor(times.length / 2)]), ''],
    ['seconds of the longest call', '', '', callSeconds(times.at(-1)), ''],
    ['calls without a count of tokens', '', '', String(calls.filter(isUncounted).length), ''],
  ]
}

function isUncounted({ inputTokens, outputTokens }: ModelCall): boolean {
  return inputTokens === null || outputTokens === null
}

function predictionOf(verdict: Verdict): Record<string, unknown> {
  return MENTIONS_GOLD.predict({ verdict, leaning: 0, evidence: new Float64Array() }, { id: '', text: '' })
}

/** The reasons of calls without an answer, and how often each was met. */
export function faultsOf(calls: readonly ModelCall[]): string[] {
  const counts = new Map<string, number>()
  for (const { fault } of calls) if (fault !== null) counts.set(fault, (counts.get(fault) ?? 0) + 1)
  return [...counts].map(([fault, count]) => `${count} calls without an answer: ${fault}`)
}

export function offlineMilliseconds(judge: (subject: Subject) => unknown, rows: readonly Row[]): number {
  const subjects = rows.map((row) => subjectOf(MENTIONS_GOLD, row))
  const startedAt = performance.now()
  for (const subject of subjects) judge(subject)
  return performance.now() - startedAt
}

function answeredShare(rows: readonly ComparedRow[]): number {
  return rows.length === 0 ? 0 : rows.filter(({ isAnswered }) => isAnswered).length / rows.length
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}
