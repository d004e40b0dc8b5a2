import { beforeAll, describe, expect, test } from 'vitest'
import { uuidFromName } from '../../../kernel/ids.ts'
import type { Classifier, Mark, Subject } from '../../contract.ts'
import { createOfflineClassifier } from '../index.ts'
import { prepareKeyword } from '../keyword/keyword.ts'
import { loadModel } from '../model/model-file.ts'
import { leaningCache } from './marks.ts'
import { relevanceModelOf } from './odds.ts'

let classifier: Classifier
beforeAll(async () => {
  classifier = await createOfflineClassifier()
})

const CONTEXT = 'Comet, maker of laptops and tablets for schools.'

async function verdicts(texts: readonly string[], marks: readonly Mark[], context: string | null = CONTEXT) {
  const subjects = texts.map(
    (text): Subject => ({
      post: { platform: 'x', title: null, text, links: [], languageHint: null, author: null, review: null },
      keyword: { term: 'Comet', kind: 'brand' },
      keywordContext: context,
      companyContext: null,
      marks,
      workspaceId: uuidFromName('marks'),
    }),
  )
  return (await classifier.score(subjects, new AbortController().signal)).map((scored) => {
    if ('failed' in scored) throw new Error(scored.failed)
    return scored.verdict
  })
}

const relevances = async (texts: readonly string[], marks: readonly Mark[], context?: string | null) =>
  (await verdicts(texts, marks, context)).map((verdict) => verdict.relevance)
const of = (relevant: boolean | null, texts: readonly string[], sentiment: Mark['sentiment'] = null): Mark[] =>
  texts.map((text) => ({ relevant, sentiment, text }))

const GOOD = [
  'my new comet laptop has a great screen',
  'comet tablets arrived at our school today',
  'the comet keyboard is broken',
  'battery of the comet laptop is dead',
]
const SKY = [
  'saw a comet near jupiter with my telescope',
  'the comet tail glows in the night sky',
  'astronomers found a comet beyond neptune',
  'a comet passes the sun tonight',
]
const OWN = ['is the comet laptop any good for my kids?', 'our school bought comet tablets']

describe('what a team marked', () => {
  test('moves posts like those that were marked, and the others hardly', async () => {
    const text = 'photographed the comet with a telescope in the night sky'
    const [before] = await relevances([text], [], null)
    const [after] = await verdicts([text], [...of(false, SKY), ...of(true, GOOD)], null)
    expect(before).toBeGreaterThanOrEqual(60)
    expect(after!.relevance).toBeLessThan(40)
    expect(after!.note).toContain('like posts that your team marked as noise')
  })

  test('does not push every post under the line when only noise was marked', async () => {
    for (const relevance of await relevances(OWN, of(false, [...SKY, ...SKY.map((text) => `${text} again`)])))
      expect(relevance).toBeGreaterThanOrEqual(40)
  })

  test('is not turned round by one mistake', async () => {
    const right = [...of(false, SKY), ...of(true, GOOD)]
    const mistaken = [...of(false, ['comet laptop for sale, as new']), ...right]
    for (const relevance of await relevances(OWN, mistaken)) expect(relevance).toBeGreaterThanOrEqual(40)
    expect((await relevances(['a comet in the night sky above jupiter'], mistaken))[0]).toBeLessThan(40)
  })

  test('moves the sentiment of posts that are worded alike', async () => {
    const text = 'the comet update dropped on tuesday for everybody'
    const marks = of(null, [text, `${text} here`, 'another comet update dropped for everybody'], 'negative')
    expect((await verdicts([text], []))[0]!.sentiment).not.toBe('negative')
    expect((await verdicts([text], marks))[0]!.sentiment).toBe('negative')
  })

  test('leaves verdicts as they are where nothing was marked, and gives the same ones for the same marks', async () => {
    const marks = [...of(false, SKY), ...of(true, GOOD)]
    expect(await verdicts(OWN, of(null, SKY))).toEqual(await verdicts(OWN, []))
    expect(await verdicts(OWN, [...marks])).toEqual(await verdicts(OWN, [...marks]))
  })

  test('is learned in bounded time from hostile texts', async () => {
    const hostile = [
      'comet '.repeat(1400),
      '\u0000\uD800'.repeat(4000),
      '',
      Array.from({ length: 1500 }, (_, at) => `w${at}x`).join(' '),
    ]
    const marks = Array.from(
      { length: 60 },
      (_, at): Mark => ({ relevant: at % 2 === 0, sentiment: 'positive', text: hostile[at % 4]! }),
    )
    const before = process.cpuUsage()
    for (const relevance of await relevances(OWN, marks)) expect(relevance).toBeGreaterThanOrEqual(0)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  })

  test('is learned once for each list, though two teams that watch one term take turns', async () => {
    const model = await loadModel()
    const relevance = relevanceModelOf(model)
    const keyword = { term: 'Comet', kind: 'brand' } as const
    const prepared = prepareKeyword(relevance.rarities, relevance.directions, {
      keyword,
      keywordContext: null,
      companyContext: null,
    })
    const leaningFrom = leaningCache(relevance)
    const [own, theirs] = [of(false, SKY), of(true, SKY)]
    const [first, second] = [leaningFrom(prepared, own), leaningFrom(prepared, theirs)]
    expect(first).not.toEqual(second)
    expect(leaningFrom(prepared, [...own])).toBe(first)
    expect(leaningFrom(prepared, theirs)).toBe(second)
  })
})
