import { beforeAll, describe, expect, it } from 'vitest'
import { uuidFromName } from '../../kernel/ids.ts'
import type { Classifier, Subject } from '../contract.ts'
import { decodeVectors, encodeVectors } from './directions.ts'
import { createOfflineClassifier } from './index.ts'

let classifier: Classifier
beforeAll(async () => {
  classifier = await createOfflineClassifier()
})

interface Given {
  term?: string
  context?: string | null
  links?: string[]
}

async function relevances(texts: readonly string[], { term = 'Comet', context = null, links = [] }: Given = {}): Promise<number[]> {
  const subjects = texts.map(
    (text): Subject => ({
      post: { platform: 'hackernews', title: null, text, links, languageHint: null, author: null, review: null },
      keyword: { term, kind: 'brand' },
      keywordContext: context,
      companyContext: null,
      marks: [],
      workspaceId: uuidFromName('relevance'),
    }),
  )
  return (await classifier.score(subjects, new AbortController().signal)).map((scored) => {
    if ('failed' in scored) throw new Error(scored.failed)
    return scored.verdict.relevance
  })
}

describe('relevance', () => {
  it('tells the senses of a word apart by its context, without a word in common', async () => {
    const context = 'Comet, the laptops and tablets for schools.'
    const [meant, astronomy, verb] = await relevances(
      [
        'The battery and keyboard of my Comet died after an update',
        'A comet was seen near Jupiter last night with a telescope',
        'astronomers say the comet of 1811 was brighter',
      ],
      { context },
    )
    expect(meant).toBeGreaterThanOrEqual(60)
    expect(astronomy).toBeLessThan(40)
    expect(verb).toBeLessThan(40)
  })

  it('takes the same posts the other way round when the context wants the other sense', async () => {
    const [laptop, sky] = await relevances(['my comet laptop has a dead battery', 'saw the comet through a telescope, what a night sky'], {
      context: 'Comets, planets and stars: everything that astronomers observe in the sky. Not laptops.',
    })
    expect(laptop).toBeLessThan(40)
    expect(sky).toBeGreaterThanOrEqual(60)
  })

  it('follows a link to a host that is called like the term, wherever it stands', async () => {
    const context = 'Comet, the screen recorder for teams.'
    const [plain] = await relevances(['here you go'], { context })
    const [inText] = await relevances(['here you go https://www.comet.com/share/abc'], { context })
    const [bare] = await relevances(['here you go comet.com/share/abc'], { context })
    const [asLink] = await relevances(['here you go'], { context, links: ['https://comet.io/x'] })
    const [other] = await relevances(['here you go https://example.com/comet.com'], { context })
    for (const one of [inText, bare, asLink]) expect(one).toBeGreaterThan(plain! + 10)
    expect(other).toBe(plain)
  })

  it('takes a verb for noise where a name was watched without a context', async () => {
    const [verb, modal, name, written] = await relevances(
      ['a recession looms over the continent', 'cuts will loom for years', 'recorded a loom for you', 'Loom over Zoom any day'],
      {
        term: 'Loom',
      },
    )
    expect(verb).toBeLessThan(40)
    expect(modal).toBeLessThan(40)
    expect(name).toBeGreaterThanOrEqual(60)
    expect(written).toBeGreaterThanOrEqual(60)
  })

  it('believes a coined name rather than the context', async () => {
    const text = 'was in the mountains with us on the weekend'
    const context = 'Software that manages projects for builders.'
    const [word] = await relevances([`comet ${text}`], { context })
    const [coined] = await relevances([`zorvexa ${text}`], { context, term: 'Zorvexa' })
    expect(coined).toBeGreaterThan(word!)
    expect(coined).toBeGreaterThanOrEqual(40)
  })

  it('takes time in step with the length of a hostile text', async () => {
    const texts = [
      'comet '.repeat(1365),
      'https://a.b/ '.repeat(700),
      Array.from({ length: 1300 }, (_, at) => `w${at}q`).join(' '),
      '(((('.repeat(2000),
      '-'.repeat(8000),
    ]
    const before = process.cpuUsage()
    await relevances([...texts, ...texts, ...texts], { context: `Comet ${'word '.repeat(500)}` })
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500)
  })
})

describe('word vectors in a model file', () => {
  const vectors = { keys: Int32Array.from([3, 130, 16_777_215]), dimensions: 2, vectors: Int8Array.from([1, -2, 0, 127, -128, 5]) }

  it('are read as they were written', () => {
    expect(decodeVectors(encodeVectors(vectors))).toEqual(vectors)
  })

  it('are refused when they are damaged', () => {
    const bytes = encodeVectors(vectors)
    for (const damaged of [bytes.subarray(0, 5), bytes.subarray(0, -1), new Uint8Array(8), Uint8Array.from([...bytes, 0])])
      expect(() => decodeVectors(damaged)).toThrow(/damaged/)
  })
})
