import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ModelQuestion, ModelReply, QueriedModel } from '../../src/classify/ports.ts'
import type { Verdict } from '../../src/domain/mention/classification.ts'
import { ModelAnswers } from './model-answers.ts'
import { compareWithModel, type JudgedRow } from './model-comparison.ts'
import { comparisonTable, faultsOf } from './model-table.ts'

const OFFLINE: Verdict = {
  relevance: 90,
  sentiment: 'neutral',
  intents: [],
  automated: false,
  language: 'en',
  confidence: 0.9,
  note: 'By the built-in model.',
}
const PRICES = { input: 1_000_000, output: 2_000_000 }

function rowOf(id: string, confidence: number): JudgedRow {
  const row = {
    id,
    platform: 'x',
    term: 'Acme',
    kind: 'brand',
    context: 'Acme: notes.',
    title: null,
    text: `Acme ${id}`,
  }
  const labels = { rating: null, about: 2, relevant: true, sentiment: 'negative', intents: ['complaint'] }
  return { row: { ...row, ...labels, automated: false }, offline: { ...OFFLINE, confidence } }
}

/** Calls every post a complaint; a fault where one is given. */
class StandInModel implements QueriedModel {
  readonly name = 'stand-in'
  readonly reasoningTokens = 0
  readonly asked: ModelQuestion[] = []
  fault: ModelReply | null = null

  async complete(question: ModelQuestion): Promise<ModelReply> {
    this.asked.push(question)
    if (this.fault !== null) return this.fault
    const { mentions } = question.input as { mentions: { id: string }[] }
    const verdicts = mentions.map(({ id }) => ({ ...OFFLINE, id, sentiment: 'negative', intents: ['complaint'] }))
    return { value: { verdicts }, usage: { input: 100, output: 10 } }
  }

  async close(): Promise<void> {}
}

describe('the comparison with a language model', () => {
  const judged = [rowOf('sure', 0.9), rowOf('doubted', 0.3)]
  let model: StandInModel
  let folder: string
  const compare = (answers: ModelAnswers) =>
    compareWithModel(judged, { model, answers, prices: PRICES, callsAtOnce: 2 })

  beforeEach(() => {
    model = new StandInModel()
    folder = mkdtempSync(join(tmpdir(), 'answers-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('asks about all mentions of a keyword at once, and hybrid takes only doubted ones from the model', async () => {
    const compared = await compare(new ModelAnswers(null))
    expect(model.asked).toHaveLength(1)
    expect(compared.map(({ model: own }) => own.sentiment)).toEqual(['negative', 'negative'])
    expect(compared.map(({ hybrid }) => hybrid.sentiment)).toEqual(['neutral', 'negative'])
  })

  test('prints figures, cost and time beside those of the built-in model', async () => {
    const answers = new ModelAnswers(null)
    const compared = await compare(answers)
    const table = comparisonTable(compared, { calls: answers.calls, prices: PRICES, offlineMilliseconds: 4 })
    expect(table).toContain('| micro-F1 of intents, % | 0 | 66.67 | 100 | 60 |')
    // 100 tokens read and 10 written for two mentions cost 120 millionths of a dollar.
    expect(table).toContain('| dollars for 1,000 mentions | 0 | 0.0300 | 0.0600 |  |')
  })

  test('asks nothing again that a file of answers holds', async () => {
    const file = join(folder, 'answers.jsonl')
    const first = await compare(new ModelAnswers(file))
    const answers = new ModelAnswers(file)
    expect(await compare(answers)).toEqual(first)
    expect(model.asked).toHaveLength(1)
    expect(answers.calls).toEqual([expect.objectContaining({ inputTokens: 100, outputTokens: 10, fault: null })])
  })

  test('keeps the verdict of the built-in model where no answer comes, and says why', async () => {
    model.fault = { fault: 'refused', message: 'wrong key' }
    const answers = new ModelAnswers(null)
    const compared = await compare(answers)
    expect(compared.map(({ isAnswered, model: own }) => [isAnswered, own.sentiment])).toEqual([
      [false, 'neutral'],
      [false, 'neutral'],
    ])
    expect(faultsOf(answers.calls)).toEqual(['1 calls without an answer: refused: wrong key'])
  })
})

test('a file that holds something else is refused with its line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'answers-'))
  const file = join(folder, 'answers.jsonl')
  writeFileSync(file, '\n{"key":1}\n')
  expect(() => new ModelAnswers(file)).toThrow(`--answers: line 2 of ${file} is not a recorded answer`)
  rmSync(folder, { recursive: true })
})
