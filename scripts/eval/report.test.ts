import { describe, expect, test } from 'vitest'
import type { Sentiment } from '../../src/domain/mention/classification.ts'
import { type Row, tenthOf } from '../train/data.ts'
import { TRAINED_SETS } from '../train/trained.ts'
import { judgedRows, judgesApart } from './judges.ts'
import { type Judge, linesOf, reportOn, type SetReport } from './report.ts'
import { SETS } from './sets.ts'

const always = (sentiment: Sentiment) =>
  ((): unknown => ({
    verdict: { sentiment, confidence: 0.5, relevance: 100, intents: [] },
    leaning: 0,
  })) as () => ReturnType<Judge>
const rowsFor = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `row ${at}`, text: 'Some words', sentiment: 'positive' }))
const only = (name: string, rows: readonly Row[]) => (set: string) => (set === name ? rows : [])

describe('rows of a set that trains', () => {
  const rows = rowsFor(200)
  const judges = Array.from({ length: 10 }, () => always('neutral'))

  test('are each judged by the weights that have not seen their tenth, and stay in their order', () => {
    judges[3] = always('positive')
    const judgeFor = judgesApart(always('negative'), judges)
    const [report] = reportOn(judgeFor, only('se_github', rows), () => null)
    expect(report!.predictions.map(({ id, sentiment }) => [id, sentiment])).toEqual(
      rows.map((row) => [row.id, tenthOf('se_github', row) === 3 ? 'positive' : 'neutral']),
    )
  })

  test('are judged where there is such a model, and all of them where there are ten', () => {
    expect(judgedRows('se_github', rows, 10)).toEqual(rows)
    expect(judgedRows('se_github', rows, 2)).toEqual(rows.filter((row) => tenthOf('se_github', row) < 2))
  })

  test('are never judged by the shipped weights, which saw them; others always are', () => {
    const shipped = always('negative')
    const judgeFor = judgesApart(shipped, judges)
    for (const { name } of SETS) {
      const seen = TRAINED_SETS.has(name) && !['relevance_reddit', 'mentions_gold'].includes(name)
      expect([name, rows.some((row) => judgeFor(name, row) === shipped)]).toEqual([name, !seen])
      if (!seen) expect(judgedRows(name, rows, 2)).toEqual(rows)
    }
  })
})

describe('a figure', () => {
  test('is that of all rows at once, not a mean over the tenths, and lies in its interval', () => {
    const wanted = (row: Row): Sentiment => (tenthOf('se_github', row) === 0 ? 'positive' : 'negative')
    const rows = rowsFor(500).map((row) => ({ ...row, sentiment: wanted(row) }))
    const judgeFor = judgesApart(always('neutral'), [
      always('positive'),
      ...Array.from({ length: 9 }, (_, at) => always(at === 0 ? 'positive' : 'negative')),
    ])
    const [line] = linesOf(reportOn(judgeFor, only('se_github', rows), () => null))
    const of = (tenth: number) => rows.filter((row) => tenthOf('se_github', row) === tenth).length
    const [right, wrong, others] = [of(0), of(1), rows.length - of(0) - of(1)]
    const pooled = (100 * ((2 * right) / (2 * right + wrong) + (2 * others) / (2 * others + wrong))) / 2
    expect(line!.rows).toBe(500)
    expect(line!.value).toBeCloseTo(pooled, 2)
    expect(line!.interval[0]).toBeLessThan(line!.value)
    expect(line!.interval[1]).toBeGreaterThan(line!.value)
  })

  test('of rows that stand together is as unsure as few units are', () => {
    const rows = Array.from(
      { length: 400 },
      (_, at): Row => ({ id: `${at}`, text: '', sentiment: 'positive', word: at < 200 ? 'one' : 'other' }),
    )
    const predictions = rows.map(({ id }, at) => ({ id, sentiment: at < 200 ? 'positive' : 'negative' }))
    const target = { path: 'sentiment.accuracy', name: 'accuracy' }
    const set = { ...SETS.find(({ name }) => name === 'se_github')!, targets: [target] }
    const report: SetReport = { set, rows, predictions, figures: { sentiment: { accuracy: 50 } }, confidences: [] }
    const [alone] = linesOf([report])
    expect(alone!.interval[0]).toBeGreaterThan(40)
    const [together] = linesOf([{ ...report, set: { ...set, unitOf: (row) => String(row.word) } }])
    expect(together!.interval).toEqual([0, 100])
  })
})
