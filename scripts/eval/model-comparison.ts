import type { Classifier, Subject } from '../../src/classify/contract.ts'
import { createHybridClassifier, HINTS, sureFrom } from '../../src/classify/hybrid/hybrid.ts'
import type { Prices } from '../../src/classify/language-model/call-cost.ts'
import { SECOND_VERDICT_METRICS } from '../../src/classify/language-model/metrics.ts'
import { createSecondVerdict } from '../../src/classify/language-model/second-verdict.ts'
import type { ModelBudget, QueriedModel } from '../../src/classify/ports.ts'
import type { Verdict } from '../../src/domain/mention/classification.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { Semaphore } from '../../src/kernel/concurrency/semaphore.ts'
import { groupBy } from '../../src/kernel/group.ts'
import { uuidFromName } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { registerMetrics } from '../../src/kernel/metrics.ts'
import type { Row } from '../train/data.ts'
import type { ModelAnswers } from './model-answers.ts'
import { MENTIONS_GOLD } from './sets/relevance.ts'
import { subjectOf } from './subjects.ts'

/** A labelled mention with the verdict of the built-in model. */
export interface JudgedRow {
  row: Row
  offline: Verdict
}

export interface ModelRun {
  model: QueriedModel
  answers: ModelAnswers
  prices: Prices
  callsAtOnce: number
}

/** A mention with the verdicts of each value of `CLASSIFIER`. */
export interface ComparedRow {
  row: Row
  offline: Verdict
  hybrid: Verdict
  model: Verdict
  /** Whether the language model gave the verdict of `model`. */
  isAnswered: boolean
  /** Whether `hybrid` asks the language model. */
  isAsked: boolean
}

/** Asks as the service does: mentions of one keyword together, and the built-in verdict where no answer comes. */
export async function compareWithModel(judged: readonly JudgedRow[], run: ModelRun): Promise<ComparedRow[]> {
  const subjects = new Map(judged.map((item) => [subjectOf(MENTIONS_GOLD, item.row), item]))
  const classifier = createHybridClassifier({
    name: 'model',
    first: knownVerdicts(new Map([...subjects].map(([subject, { offline }]) => [subject, offline]))),
    second: createSecondVerdict({
      model: run.answers.recording(run.model),
      prices: run.prices,
      budget: unlimitedBudget(),
      cache: run.answers,
      clock: systemClock,
      log: silentLog,
      metrics: registerMetrics(SECOND_VERDICT_METRICS),
      callsAtOnce: run.callsAtOnce,
    }),
    isSure: () => false,
  })
  const isSure = sureFrom(HYBRID_SURE_FROM)
  const keywords = groupBy([...subjects.keys()], ({ keyword, keywordContext }) =>
    JSON.stringify([keyword, keywordContext]),
  )
  // A process holds 2,000 waiting mentions of a workspace and each for two minutes at most.
  const permits = new Semaphore(run.callsAtOnce)
  try {
    const compared = await Promise.all(
      [...keywords.values()].map((own) =>
        permits.run(async () => {
          const scored = await classifier.score(own, new AbortController().signal)
          return scored.map((item, at) => {
            const { row, offline } = subjects.get(own[at]!)!
            if ('failed' in item) throw new Error(`${row.id}: ${item.failed}`)
            const model = item.verdict
            const isAsked = !isSure(offline)
            return { row, offline, model, hybrid: isAsked ? model : offline, isAsked, isAnswered: !isFallback(model) }
          })
        }),
      ),
    )
    return compared.flat()
  } finally {
    await classifier.close()
  }
}

function knownVerdicts(verdicts: ReadonlyMap<Subject, Verdict>): Classifier {
  return {
    name: 'offline',
    score: async (subjects) => subjects.map((subject) => ({ verdict: verdicts.get(subject)! })),
    close: async () => undefined,
  }
}

/** The evaluation is bounded by its rows. */
function unlimitedBudget(): ModelBudget {
  return {
    reserve: async (workspaceId, microUsd) => ({
      workspaceId,
      microUsd,
      id: uuidFromName('evaluation'),
      day: '2026-01-01',
    }),
    settle: async () => undefined,
  }
}

function isFallback({ note }: Verdict): boolean {
  return Object.values(HINTS).some((hint) => note.endsWith(`(${hint})`))
}

/** As `CLASSIFIER_SURE_FROM` is without a setting. */
const HYBRID_SURE_FROM = 0.6
