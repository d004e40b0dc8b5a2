import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomFrom } from '../../test/random.ts'
import { DATA_FOLDER, linesOf, type Row } from '../train/data.ts'
import { figureAt, figuresOf, figuresOver, type Prediction } from './figures.ts'
import { areaUnderCurve, calibrationOf, classFigures, once, tagFigures } from './metrics.ts'

const SCORER = new URL('score.mjs', DATA_FOLDER)

/** Guesses of the kinds that a set's labels have, right about half of the time. */
function guessesFor(rows: readonly Row[]): Prediction[] {
  const random = randomFrom(7)
  const other = () => rows[Math.floor(random() * rows.length)]!
  const fields = [
    'sentiment',
    'label',
    'labels',
    'purchase_intent',
    'lang',
    'relevant',
    'complaint',
    'comparison',
    'spam',
    'bot',
    'churn_intent',
    'suggestion',
  ]
  return rows.map((row): Prediction => {
    const from = random() < 0.5 ? row : other()
    const guess = Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, from[field]]))
    return { id: row.id, ...guess, score: Math.round(20 * random()) / 20 }
  })
}

describe.skipIf(!existsSync(SCORER))('figures of a set', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'earshot-figures-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    'apple_dfe',
    'churn_chat',
    'vader_nyt',
    'appreviews_maalej',
    'twitter_entity',
    'umsab_multilingual',
    'langid',
    'comparison_compsent19',
    'purchase_intent',
  ])('equal those of the data’s own script: %s', (set) => {
    const rows = linesOf(new URL(`sets/${set}/dev.jsonl`, DATA_FOLDER))
    const predictions = guessesFor(rows)
    const file = join(folder, `${set}.jsonl`)
    writeFileSync(file, predictions.map((prediction) => `${JSON.stringify(prediction)}\n`).join(''))
    const {
      set: _,
      part,
      missing,
      ...theirs
    } = JSON.parse(execFileSync(process.execPath, [fileURLToPath(SCORER), set, file, 'dev'], { encoding: 'utf8' }))
    expect([part, missing]).toEqual(['dev', 0])
    expect(figuresOf(set, rows, predictions)).toEqual(theirs)
  })
})

describe('a figure', () => {
  test.each(['appreviews_maalej', 'twitter_entity', 'umsab_multilingual', 'vader_nyt', 'langid'])(
    'of rows that count several times or not at all is that of so many copies of them: %s',
    (set) => {
      const random = randomFrom(11)
      const pick = <Value>(all: readonly Value[]) => all[Math.floor(random() * all.length)]!
      const mood = () => pick(['positive', 'negative', 'neutral', 'irrelevant'])
      const rows = Array.from({ length: 60 }, (_, at) => {
        const [lang, source, labels] = [
          pick(['de', 'en', 'fr']),
          pick(['eld-tweets', 'lingua-sentences']),
          ['a', 'b', 'c'].filter(() => random() < 0.4),
        ]
        return { id: `${at}`, text: '', sentiment: mood(), label: mood(), labels, lang, source, score: random() }
      })
      const predictions = rows.map(({ id }) => ({
        ...pick(rows),
        id,
        labels: ['a', 'z'].filter(() => random() < 0.5),
        score: Math.round(5 * random()),
      }))
      const weights = Int32Array.from(rows, () => Math.floor(3 * random()))
      const copies = <Value>(all: readonly Value[]) =>
        all.flatMap((item, at) => Array.from({ length: weights[at]! }, () => item))
      expect(figuresOver(set, rows, predictions)(weights)).toEqual(figuresOf(set, copies(rows), copies(predictions)))
    },
  )

  test('is found by its path, and is null where a set has none', () => {
    const figures = figuresOf('some', [{ id: '1', text: '', label: 'a' }], [{ id: '1', label: 'a' }])
    expect(figureAt(figures, 'label.macroF1')).toBe(100)
    expect(figureAt(figures, 'label.perClass.a.f1')).toBe(100)
    expect([figureAt(figures, 'label'), figureAt(figures, 'auc'), figureAt(figures, 'label.x.y')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('counts what was never guessed and what was guessed outside of the labels as wrong', () => {
    expect(classFigures(['a', 'a', 'b', 'b'], ['a', 'c', 'b', undefined])(once(4))).toMatchObject({
      accuracy: 50,
      macroF1: 66.67,
      macroRecall: 50,
    })
    expect(tagFigures([['a'], []], [['a', 'z'], ['a']])(once(2))).toMatchObject({
      microF1: 50,
      per: { a: { n: 1, f1: 66.67 } },
    })
  })

  test('of order is 100 when every relevant row stands above the others, and 50 when nothing tells them apart', () => {
    expect(areaUnderCurve([3, 2, 1], [true, true, false])(once(3))).toBe(100)
    expect(areaUnderCurve([1, 1, 1, 1], [true, false, true, false])(once(4))).toBe(50)
    expect(areaUnderCurve([1, 2], [true, false])(once(2))).toBe(0)
  })

  test('of calibration is nought when confidence is the share that is right, and finds errors among the unsure', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({
      confidence: at < 30 ? 0.5 : 1,
      right: at >= 30 || at % 2 === 0,
    }))
    expect(calibrationOf(rows)).toMatchObject({
      error: 0,
      errorsInUncertain: { thirty: 100, seventy: 100 },
      uncertain: 0,
    })
    const wrongEveryTenth = rows.map((_, at) => ({ confidence: at / 100, right: at % 10 > 0 }))
    expect(calibrationOf(wrongEveryTenth).errorsInUncertain).toEqual({ thirty: 30, seventy: 70 })
    expect(calibrationOf(rows.map(({ right }) => ({ confidence: 0.1, right })))).toMatchObject({
      error: 75,
      uncertain: 100,
    })
  })
})
