import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INTENTS, SENTIMENTS, type Verdict } from '../domain/mention/classification.ts'
import type { Review } from '../domain/post/post.ts'
import { type Uuid, uuidFromName } from '../kernel/ids.ts'
import type { Classifier, Subject } from './contract.ts'

const NEVER = new AbortController().signal
const A_WORKSPACE = uuidFromName('a workspace of tests')

export function subjectFor(
  text: string,
  changes: {
    term?: string
    kind?: Subject['keyword']['kind']
    context?: string
    post?: Partial<Subject['post']>
    marks?: Subject['marks']
    workspaceId?: Uuid
  } = {},
): Subject {
  return {
    post: {
      platform: 'reddit',
      title: null,
      text,
      links: [],
      languageHint: null,
      author: null,
      review: null,
      ...changes.post,
    },
    keyword: { term: changes.term ?? 'acme', kind: changes.kind ?? 'brand' },
    keywordContext: changes.context ?? null,
    companyContext: null,
    marks: changes.marks ?? [],
    workspaceId: changes.workspaceId ?? A_WORKSPACE,
  }
}

export async function verdictOn(classifier: Classifier, subject: Subject): Promise<Verdict> {
  const [scored] = await classifier.score([subject], NEVER)
  if (!scored || !('verdict' in scored)) throw new Error(`not scored: ${scored?.failed}`)
  return scored.verdict
}

export const reviewOf = (rating: number, ratingMax = 5): Review => ({
  rating,
  ratingMax,
  title: null,
  version: null,
  country: null,
  verified: null,
  response: null,
  responseAt: null,
  app: null,
})

/** Kinds of text that break text processing in other systems. */
const HOSTILE: [string, string][] = [
  ['nothing', ''],
  ['white space only', ' \n\t  \n'],
  ['names of object members', 'constructor __proto__ prototype toString caller callee hasOwnProperty acme'],
  ['half surrogate pairs', 'acme \ud83d broken \udc4d text \ud83d\ud83d'],
  ['one word of 64 KB', 'a'.repeat(65536)],
  ['64 KB of one sign', '!'.repeat(65536)],
  ['64 KB of brackets and quotes', '<"\'('.repeat(16384)],
  ['64 KB of spaces and hyphens', 'acme -'.repeat(11000)],
  ['only emoji', '😀😀👍🏽👨‍👩‍👧‍👦🏳️‍🌈'],
  ['combining marks without end', `a${'\u0301'.repeat(20000)}`],
  ['right-to-left and control characters', '\u202eacme\u202c \u0000\u0007 مرحبا acme'],
  ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)> acme'],
  ['a script without spaces', '日本語のとても長い文章です。'.repeat(2000)],
  ['hashtags without end', '#acme '.repeat(10000)],
  ['zero-width signs between letters', 'a\u200bc\u200dm\ufeffe '.repeat(3000)],
  [
    'what makes patterns backtrack',
    `${'aA1_'.repeat(4000)}! ${'a.'.repeat(4000)}@ ${'('.repeat(4000)}${'?!'.repeat(4000)}`,
  ],
  ['addresses without end', `https://${'a.'.repeat(5000)}acme.com/`],
]

export function classifierConformance(name: string, create: () => Promise<Classifier>): void {
  describe(`classifier ${name}`, () => {
    let classifier: Classifier
    beforeAll(async () => {
      classifier = await create()
    })
    afterAll(() => classifier.close())

    test('answers every subject, in the order of the subjects', async () => {
      const texts = Array.from({ length: 60 }, (_, at) =>
        at % 2 === 0 ? `I love acme number ${at}, it is fantastic` : `acme number ${at} is terrible and broken`,
      )
      const together = await classifier.score(
        texts.map((text) => subjectFor(text)),
        NEVER,
      )
      expect(together).toHaveLength(texts.length)
      const last = await verdictOn(classifier, subjectFor(texts.at(-1)!))
      expect(together.at(-1)).toEqual({ verdict: last })
      expect(together[0]).toEqual({ verdict: await verdictOn(classifier, subjectFor(texts[0]!)) })
    })

    test('gives nothing for nothing', async () => {
      expect(await classifier.score([], NEVER)).toEqual([])
    })

    test('gives the same subject the same verdict, whatever it scored in between', async () => {
      const subject = subjectFor('Acme has a new release, and I am not sure that I like it.', {
        context: 'Acme, the maker of anvils',
      })
      const first = await verdictOn(classifier, subject)
      await classifier.score(
        HOSTILE.map(([, text]) => subjectFor(text)),
        NEVER,
      )
      expect(await verdictOn(classifier, subject)).toEqual(first)
    })

    test.each(HOSTILE)('survives %s and stays within the bounds of every field', async (_, text) => {
      expectInBounds(await verdictOn(classifier, subjectFor(text)))
      expectInBounds(await verdictOn(classifier, subjectFor('acme', { context: text, post: { title: text } })))
      expectInBounds(await verdictOn(classifier, subjectFor('acme', { term: text.slice(0, 80) || 'x' })))
    })

    test('stays within the bounds of every field for any text', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc.string({ unit: 'grapheme', minLength: 2, maxLength: 80 }),
          fc.option(fc.string({ maxLength: 100 })),
          async (text, term, context) => {
            expectInBounds(
              await verdictOn(classifier, subjectFor(text, { term, ...(context === null ? {} : { context }) })),
            )
          },
        ),
        { numRuns: 200 },
      )
    })

    test.each([
      [5, 5, 'positive'],
      [4, 5, 'positive'],
      [3, 5, 'neutral'],
      [2, 5, 'negative'],
      [1, 5, 'negative'],
      [9, 10, 'positive'],
    ])(
      'takes a review as relevant and its sentiment from the stars: %d of %d is %s',
      async (rating, ratingMax, sentiment) => {
        for (const text of ['This is a terrible, awful app. I hate it.', 'I love this, it is fantastic!', '']) {
          const verdict = await verdictOn(
            classifier,
            subjectFor(text, { post: { platform: 'appstore', review: reviewOf(rating, ratingMax) } }),
          )
          expect(verdict.relevance).toBe(100)
          expect(verdict.sentiment).toBe(sentiment)
          expectInBounds(verdict)
        }
      },
    )

    test('stops when it is told to', async () => {
      await expect(classifier.score([subjectFor('acme')], AbortSignal.abort())).rejects.toThrow()
    })

    test('can be closed more than once', async () => {
      const other = await create()
      await other.close()
      await other.close()
    })
  })
}

export function expectInBounds(verdict: Verdict): void {
  expect(Number.isInteger(verdict.relevance) && verdict.relevance >= 0 && verdict.relevance <= 100).toBe(true)
  expect(SENTIMENTS).toContain(verdict.sentiment)
  expect(verdict.intents).toEqual(INTENTS.filter((intent) => verdict.intents.includes(intent)))
  expect(typeof verdict.automated).toBe('boolean')
  expect(verdict.language === null || /^[a-z]{2}$/.test(verdict.language)).toBe(true)
  expect(verdict.confidence >= 0 && verdict.confidence <= 1).toBe(true)
  expect(verdict.note.length).toBeGreaterThan(0)
  expect([...verdict.note].length).toBeLessThanOrEqual(200)
  expect(verdict.note).not.toMatch(/[<>\n\r]/)
}
