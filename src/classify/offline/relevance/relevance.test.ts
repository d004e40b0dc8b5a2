import { beforeAll, describe, expect, test } from 'vitest'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { uuidFromName } from '../../../kernel/ids.ts'
import type { Classifier, Subject } from '../../contract.ts'
import { createOfflineClassifier } from '../index.ts'
import { decodeVectors, encodeVectors } from '../model/directions.ts'

let classifier: Classifier
beforeAll(async () => {
  classifier = await createOfflineClassifier()
})

interface Given {
  term?: string
  context?: string | null
  links?: string[]
  platform?: Platform
}

async function relevances(
  texts: readonly string[],
  { term = 'Comet', context = null, links = [], platform = 'hackernews' }: Given = {},
): Promise<number[]> {
  const subjects = texts.map(
    (text): Subject => ({
      post: { platform, title: null, text, links, languageHint: null, author: null, review: null },
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
  test('tells the senses of a word apart by its context, without a word in common', async () => {
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

  test('takes the same posts the other way round when the context wants the other sense', async () => {
    const [laptop, sky] = await relevances(
      ['my comet laptop has a dead battery', 'saw the comet through a telescope, what a night sky'],
      {
        context: 'Comets, planets and stars: everything that astronomers observe in the sky. Not laptops.',
      },
    )
    expect(laptop).toBeLessThan(40)
    expect(sky).toBeGreaterThanOrEqual(60)
  })

  test('follows a link of the post to a host that is called like the term, and takes a term in a link alone for noise', async () => {
    const context = 'Comet, the screen recorder for teams.'
    const [plain] = await relevances(['here you go'], { context })
    const [inText] = await relevances(['here you go https://www.comet.com/share/abc'], { context })
    const [asLink] = await relevances(['here you go'], { context, links: ['https://comet.io/x'] })
    const [other] = await relevances(['here you go https://example.com/comet.com'], { context })
    expect(asLink).toBeGreaterThan(plain! + 10)
    for (const value of [inText, other]) expect(value).toBeLessThan(40)
  })

  test('takes a verb for noise where a name was watched without a context', async () => {
    const [verb, modal, name, written] = await relevances(
      [
        'a recession looms over the continent',
        'cuts will loom for years',
        'recorded a loom for you',
        'Loom over Zoom any day',
      ],
      {
        term: 'Loom',
      },
    )
    expect(verb).toBeLessThan(40)
    expect(modal).toBeLessThan(40)
    expect(name).toBeGreaterThanOrEqual(60)
    expect(written).toBeGreaterThanOrEqual(60)
  })

  test.each([
    {
      term: 'Loom',
      context: 'Loom, the screen recorder for video messages at work.',
      about: [
        'I just sent the client a Loom walking through the invoice, took two minutes',
        'Anyone else think Loom got slower since Atlassian bought it?',
        'Loom alternatives that are self-hosted?',
        'Their founder said Loom made its first million from teachers',
        'We stopped using Loom, the free plan is too small for our team',
      ],
      other: [
        'Elections loom large over the budget talks',
        'Finished warping my four shaft loom, first scarf is on the way',
        'Layoffs loom at three more carriers as fares drop',
        'The Jacquard loom was arguably the first programmable machine',
        'Weaving on a rigid heddle loom is easier than knitting',
        'the deadline looms and I have not started',
      ],
    },
    {
      term: 'Square',
      context: 'Square, card readers and point of sale for small shops.',
      about: [
        'we use Square readers at the farmers market',
        'Square terminal keeps losing wifi at our cafe',
        'Square payroll messed up our taxes',
        'our salon moved from Clover to Square last spring',
      ],
      other: [
        'the square root of two is irrational',
        'meet me in the town square at noon',
        'crochet granny square blanket finished',
        'the garden is about thirty meters square',
      ],
    },
    {
      term: 'Signal',
      context: 'Signal, the encrypted messenger.',
      about: [
        'Signal desktop lost my message history',
        'does Signal leak my phone number to contacts?',
        'moved my family from WhatsApp to Signal',
        'disappearing messages on Signal are great',
      ],
      other: [
        'the signal to noise ratio is bad',
        'always signal before changing lanes',
        'the Fed may signal a pause in hikes',
        'traffic lights signal red for too long here',
      ],
    },
  ])(
    'tells posts about $term from other uses of the word more often than not',
    async ({ term, context, about, other }) => {
      const meant = await relevances(about, { term, context })
      const strange = await relevances(other, { term, context })
      // Two in three of each kind, and the kinds apart as a whole: no weight is fixed by it.
      expect(meant.filter((score) => score >= 40).length).toBeGreaterThanOrEqual((2 / 3) * about.length)
      expect(strange.filter((score) => score < 40).length).toBeGreaterThanOrEqual((2 / 3) * other.length)
      const right = meant.flatMap((value) => strange.map((not) => value > not)).filter(Boolean).length
      expect(right).toBeGreaterThan(0.75 * meant.length * strange.length)
    },
  )

  test('knows chatter that falls under a brand on social networks only for brands that it learned, and only without a context', async () => {
    const chatter = [
      'A ban for player YourDaddy has occurred, see details: https://example.com/ban',
      'Great shots, well done mate',
    ]
    const posts = [
      'Verizon has the worst customer service, my bill is wrong again',
      'Verizon raised the price of my plan',
    ]
    const [known, elsewhere, stranger] = await Promise.all([
      relevances(chatter, { term: 'Battlefield', platform: 'x' }),
      relevances(chatter, { term: 'Battlefield', platform: 'news' }),
      relevances(chatter, { term: 'Zorvexa', platform: 'x' }),
    ])
    expect(Math.min(...known)).toBeLessThan(40)
    for (const value of [...elsewhere, ...stranger, ...(await relevances(posts, { term: 'Verizon', platform: 'x' }))])
      expect(value).toBeGreaterThanOrEqual(40)
  })

  test('believes a coined name rather than the context', async () => {
    const text = 'was in the mountains with us on the weekend'
    const context = 'Software that manages projects for builders.'
    const [word] = await relevances([`comet ${text}`], { context })
    const [coined] = await relevances([`zorvexa ${text}`], { context, term: 'Zorvexa' })
    expect(coined).toBeGreaterThan(word!)
    expect(coined).toBeGreaterThanOrEqual(40)
  })

  test('takes time in step with the length of a hostile text', async () => {
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
  const vectors = {
    keys: Int32Array.from([3, 130, 16_777_215]),
    dimensions: 2,
    vectors: Int8Array.from([1, -2, 0, 127, -128, 5]),
  }

  test('are read as they were written', () => {
    expect(decodeVectors(encodeVectors(vectors))).toEqual(vectors)
  })

  test('are refused when they are damaged', () => {
    const bytes = encodeVectors(vectors)
    for (const damaged of [
      bytes.subarray(0, 5),
      bytes.subarray(0, -1),
      new Uint8Array(8),
      Uint8Array.from([...bytes, 0]),
    ])
      expect(() => decodeVectors(damaged)).toThrow(/damaged/)
  })
})
