import { beforeAll, describe, expect, test } from 'vitest'
import { classifierConformance, subjectFor, verdictOn } from '../conformance.suite.ts'
import type { Classifier } from '../contract.ts'
import { createClassifier } from '../registry.ts'
import { createOfflineClassifier } from './index.ts'

classifierConformance('offline', createOfflineClassifier)

const everySense = (term: string) => `Every post that talks about ${term} matters to us, in whatever sense.`
const NEVER = new AbortController().signal

describe('the offline classifier', () => {
  let classifier: Classifier
  beforeAll(async () => {
    classifier = await createClassifier('offline', { threads: 0 })
  })
  const on = (text: string, changes: Parameters<typeof subjectFor>[1] = {}) =>
    verdictOn(classifier, subjectFor(text, changes))

  test('names itself as the setting does', () => {
    expect(classifier.name).toBe('offline')
  })

  describe.each(['acme', 'google', 'platform', 'video', 'linux'])('for the term %s', (term) => {
    const name = term[0]!.toUpperCase() + term.slice(1)

    test('takes plain praise as positive', async () => {
      const verdict = await on(
        `I love ${term}, it works great and the support team is fantastic. Highly recommended! zq12mark345`,
        {
          term,
          context: everySense(term),
        },
      )
      expect(verdict).toMatchObject({ sentiment: 'positive', language: 'en', automated: false })
      expect(verdict.intents).toContain('praise')
      expect(verdict.relevance).toBeGreaterThanOrEqual(70)
      expect(verdict.confidence).toBeGreaterThan(0.6)
    })

    test('takes a plain complaint as negative', async () => {
      const verdict = await on(
        `${name} is terrible today: it crashes, I lost my work and I am very angry about this awful bug. zq12mark9`,
        {
          term,
          context: everySense(term),
        },
      )
      expect(verdict.sentiment).toBe('negative')
      expect(verdict.intents).toContain('complaint')
      expect(verdict.confidence).toBeGreaterThan(0.6)
    })

    test('sees that a question is asked', async () => {
      const verdict = await on(
        `Can anyone tell me how I set up #${term} for a small company? Which plan should I choose? zq12mark77`,
        {
          term,
          context: everySense(term),
        },
      )
      expect(verdict.intents).toContain('question')
      expect(verdict.relevance).toBeGreaterThanOrEqual(70)
    })

    test('takes a match without any context as relevant', async () => {
      for (const text of [
        `News about ${term} today.`,
        `My notes on ${term} from last week`,
        `so ${term} again`,
        term,
      ]) {
        expect((await on(text, { term })).relevance).toBeGreaterThanOrEqual(55)
      }
    })
  })

  test.each([
    ['acme is not good at all', 'negative'],
    ['I do not like acme', 'negative'],
    ['acme is great', 'positive'],
    ['Acme works great, thank you so much!', 'positive'],
    ['The Acme app keeps crashing and support is useless.', 'negative'],
    ['Acme published its report on Tuesday.', 'neutral'],
    ['Acme ist super, ich bin begeistert!', 'positive'],
    ['Acme ist leider sehr schlecht, ich bin enttäuscht', 'negative'],
    ['Acme est génial, merci beaucoup', 'positive'],
    ['Acme es horrible, no funciona', 'negative'],
    ['me encanta acme, es excelente', 'positive'],
    ['acme é ótimo, recomendo', 'positive'],
  ])('reads %j as %s', async (text, sentiment) => {
    expect((await on(text)).sentiment).toBe(sentiment)
  })

  test.each([
    ['Das ist eine sehr gute Sache und ich freue mich darüber', 'de'],
    ["C'est une très bonne nouvelle pour tous les utilisateurs", 'fr'],
    ['Esta es una noticia muy buena para todos los usuarios', 'es'],
    ['Esta é uma notícia muito boa para todos os usuários', 'pt'],
    ['acme は最高です、ありがとうございます', 'ja'],
    ['The quick answer is that you should just update it', 'en'],
    ['ok', null],
    ['😀😀😀', null],
    ['Acme!!!', null],
    ['lol acme', null],
    ['https://example.com/a/very/long/address/in/english/words', null],
  ])('names the language of %j: %s', async (text, language) => {
    expect((await on(text)).language).toBe(language)
  })

  test.each([
    ['I cancelled my subscription to Acme, we are moving away from it', 'churn_intent'],
    ['How much does Acme cost per month? The pricing page is unclear', 'pricing'],
    ['Acme vs Globex: which one is faster than the other?', 'comparison'],
    ['Show HN: we just launched Acme 2.0', 'launch'],
    ["We're hiring a backend engineer at Acme, remote job, apply now", 'hiring'],
    ['Join us for the Acme webinar on Thursday, register now', 'event'],
    ['Please add dark mode to Acme, it would be nice to have', 'feedback'],
    ['I have been using Acme for two years and it saved me hours every week', 'testimonial'],
    ['Looking to buy a new editor, is Acme worth buying? Any recommendations?', 'buy_intent'],
    ['Use promo code ACME20 for a discount, limited time offer, buy now!', 'promotional'],
  ] as const)('tags %j as %s', async (text, intent) => {
    expect((await on(text)).intents).toContain(intent)
  })

  test('takes boilerplate between many hashtags as noise', async () => {
    const verdict = await on(
      'Retweet to win a free acme #acme #win #free #giveaway #contest #nft #crypto #airdrop #x #y #z',
    )
    expect(verdict.relevance).toBeLessThan(40)
  })

  test('follows a context that names the wanted sense and one that excludes another', async () => {
    const context = 'Apple Inc., maker of the iPhone, iPad and Mac; not the fruit.'
    const wanted = await on('My new iPad from Apple has a great screen and the battery lasts', {
      term: 'apple',
      context,
    })
    const other = await on('This apple pie is made of fresh fruit from the garden', { term: 'apple', context })
    expect(wanted.relevance).toBeGreaterThanOrEqual(60)
    expect(other.relevance).toBeLessThan(40)
    expect(wanted.note).toContain('iPad')
  })

  test('scores a text that cannot be compared with the context as relevant rather than as noise', async () => {
    const context = 'Acme makes project management software for builders'
    for (const text of [
      'acme',
      'Acme ist heute wieder nicht erreichbar, woran liegt das?',
      'acme lol',
      'acme は最高です',
    ])
      expect((await on(text, { context })).relevance).toBeGreaterThanOrEqual(40)
  })

  test('does not take sides for the keyword in a post about something else of the same name', async () => {
    const context = 'Loom is a screen recorder for video messages at work, not the weaving loom.'
    const verdict = await on('Layoffs loom over the tech sector as recession fears grow', { term: 'loom', context })
    expect(verdict.relevance).toBeLessThan(40)
    expect(verdict.note).not.toContain('better')
  })

  test('calls a program what the platform says is one', async () => {
    const author = {
      id: null,
      name: null,
      handle: 'dependabot[bot]',
      url: null,
      avatarUrl: null,
      followers: null,
      automated: null,
    }
    expect((await on('Bumps acme from 1.0 to 1.1', { post: { author } })).automated).toBe(true)
    expect(
      (await on('acme is fine', { post: { author: { ...author, handle: 'jane', automated: true } } })).automated,
    ).toBe(true)
    expect(
      (await on('acme is fine', { post: { author: { ...author, handle: 'tonyabbott', name: 'Tony Abbott' } } }))
        .automated,
    ).toBe(false)
  })

  test('gives other work its turn while it scores many posts', async () => {
    const subjects = Array.from({ length: 3000 }, (_, at) =>
      subjectFor(`Post ${at} about acme, which is a longer text with a good number of words in it.`),
    )
    let turns = 0
    let done = false
    const count = () => {
      turns += 1
      if (!done) setImmediate(count)
    }
    setImmediate(count)
    await classifier.score(subjects, NEVER)
    done = true
    expect(turns).toBeGreaterThan(8)
  })

  test('gives the same verdicts in threads as in the process, and ends them when it is closed', async () => {
    const threaded = await createOfflineClassifier({ threads: 2 })
    const texts = [
      'I love acme',
      'acme crashes all the time',
      'Acme ist leider teuer',
      '😀',
      'a\ud800cme '.repeat(500),
      'acme vs globex?',
    ]
    const marks = [false, true].map((relevant) =>
      texts.map((text) => ({ text: `${text} ${relevant}`, relevant, sentiment: null })),
    )
    const subjects = Array.from({ length: 240 }, (_, at) =>
      subjectFor(`${texts[at % texts.length]} ${at}`, {
        context: `an editor, number ${at % 7}`,
        marks: marks[at % 5] ?? [],
      }),
    )
    expect(await threaded.score(subjects, NEVER)).toEqual(await classifier.score(subjects, NEVER))
    await threaded.close()
    await expect(threaded.score(subjects, NEVER)).rejects.toThrow(/closed/)
  })

  test('stops between two slices when it is told to', async () => {
    const controller = new AbortController()
    const scoring = classifier.score(
      Array.from({ length: 5000 }, () => subjectFor('acme is good')),
      controller.signal,
    )
    controller.abort()
    await expect(scoring).rejects.toThrow()
  })
})
