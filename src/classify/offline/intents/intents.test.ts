import { beforeAll, describe, expect, test } from 'vitest'
import { INTENTS, type Intent, SENTIMENTS } from '../../../domain/mention/classification.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { reviewOf, subjectFor, verdictOn } from '../../conformance.suite.ts'
import type { Classifier, Subject } from '../../contract.ts'
import type { Venue } from '../cues/signs.ts'
import { createOfflineClassifier } from '../index.ts'
import { judgeOf } from '../judge.ts'
import { loadGrams } from '../language/language-grams.ts'
import { directionsOf, vectorsOf } from '../model/directions.ts'
import { loadModel, numbersOf, type Parts } from '../model/model-file.ts'
import { toneOf } from '../sentiment/sentiment.ts'
import { moodsOf } from '../sentiment/sentiment-model.ts'
import { newReading, read, readPlain } from '../text/reading.ts'
import { MOST_ROWS, purposeJudge, purposeRows } from './intents.ts'

describe('the intents of the offline classifier', () => {
  let classifier: Classifier
  beforeAll(async () => {
    classifier = await createOfflineClassifier()
  })
  const on = (text: string, platform: Platform = 'x', term = 'acme') =>
    verdictOn(classifier, subjectFor(text, { term, post: { platform } }))

  test.each([
    ['Acme crashes every time I open a large file, error 500', 'bug_report'],
    ['Thinking of buying Acme for my team, any recommendations?', 'buy_intent'],
    ['I cancelled my Acme account today, we are switching to another provider', 'churn_intent'],
    ['Acme is much faster than Globex', 'comparison'],
    ['Acme support is terrible, still waiting for my refund after three weeks', 'complaint'],
    ['Join us for the Acme webinar on Thursday, register now', 'event'],
    ['Please add a dark mode to Acme, it would be great to have', 'feedback'],
    ["Acme is hiring! We're looking for a backend engineer, apply now", 'hiring'],
    ['Analysts expect Acme to grow its market share to 30 percent, according to a new report', 'industry_insight'],
    ['We just launched Acme 2.0, introducing a new way to plan your week', 'launch'],
    ['I love Acme, fantastic work, highly recommended', 'praise'],
    ['Acme raised its price to $20 per month, how much does the team plan cost?', 'pricing'],
    ['Giveaway! Follow us and use code ACME20, limited time offer, buy now', 'promotional'],
    ['Does anyone know how I can export my data from Acme?', 'question'],
    ["I've been using Acme for two years and it saves me hours every week", 'testimonial'],
  ] as const)('reads %j as %s', async (text, intent) => {
    expect((await on(text)).intents).toContain(intent)
  })

  test.each([
    ['Acme stürzt seit dem letzten Update ständig ab, immer diese Fehlermeldung', 'bug_report'],
    ['Acme se cierra solo y no funciona desde la última actualización', 'bug_report'],
    ["Depuis la mise à jour Acme ne fonctionne plus, j'ai un message d'erreur", 'bug_report'],
    ['Ich habe mein Abo bei Acme gekündigt und wechsle den Anbieter', 'churn_intent'],
    ['Voy a cancelar mi suscripción a Acme', 'churn_intent'],
    ['Vou cancelar minha assinatura do Acme', 'churn_intent'],
    ['Weiß jemand, wie kann ich bei Acme mein Passwort ändern?', 'question'],
    ['¿Alguien sabe cómo puedo exportar mis datos de Acme?', 'question'],
    ['Alguém sabe como faço para exportar meus dados do Acme?', 'question'],
    ['Qualcuno sa come posso esportare i miei dati da Acme?', 'question'],
    ['Wie viel kostet Acme im Monat? Der Preis ist mir zu teuer', 'pricing'],
    ['Combien coûte Acme par mois ? Le prix a encore augmenté', 'pricing'],
    ['Quanto costa Acme al mese? Il prezzo è troppo alto', 'pricing'],
    ['Acme ist besser als Globex', 'comparison'],
    ['Acme es mejor que Globex', 'comparison'],
    ['Acme im Vergleich zu Globex', 'comparison'],
    ['Acme par rapport à Globex, mon avis', 'comparison'],
    ['Acme hat mehr Speicher als Globex', 'comparison'],
    ['Globex bietet deutlich weniger Funktionen als Acme', 'comparison'],
    ['Acme ist viel schneller als das Globex', 'comparison'],
    ['Acme tiene más memoria que Globex', 'comparison'],
    ['Acme a moins de mémoire que Globex', 'comparison'],
  ] as const)('reads %j as %s', async (text, intent) => {
    expect((await on(text)).intents).toContain(intent)
  })

  test.each([
    [
      'Good morning from the Acme office, the coffee is ready',
      ['hiring', 'event', 'launch', 'churn_intent', 'bug_report', 'promotional', 'pricing'],
    ],
    ['We left the house early and walked past the Acme store', ['churn_intent']],
    ['Globex is terrible, I am switching to Acme', ['churn_intent']],
    ['I quit smoking last year and walk past the Acme store every day', ['churn_intent']],
    ['Acme is great, thank you!', ['complaint', 'bug_report', 'feedback', 'question']],
    ['Acme is the worst company ever, awful service', ['praise', 'promotional', 'launch']],
    ['Acme published its notes on Tuesday.', ['complaint', 'praise', 'buy_intent', 'bug_report']],
    ['Acme has more than 300 customers in Berlin', ['comparison']],
    ['Acme hat mehr als 300 Kunden in Berlin', ['comparison']],
    ['Acme wurde weniger als ein Jahr alt', ['comparison']],
    ['Ich arbeite als Entwickler bei Acme und will mehr Geld', ['comparison']],
  ] as const)('does not read %j as any of %j', async (text, intents) => {
    const verdict = await on(text)
    for (const intent of intents) expect(verdict.intents).not.toContain(intent)
  })

  test.each([
    ['We are building an open source Acme alternative for small teams', 'comparison'],
    ["I'm building a drop-in Acme replacement, check it out", 'promotional'],
    ['Is there a good replacement for Acme that runs on Linux?', 'comparison'],
    ['We switched from Acme to something of our own last year', 'comparison'],
    ['We stopped using Acme entirely, a short message does it', 'churn_intent'],
    ['Anyone here who managed to ditch Acme?', 'churn_intent'],
    ['Acme vs Globex, which one should I pick?', 'comparison'],
    ['Nice write-up. Does Acme keep the recordings when I downgrade?', 'question'],
    ['Acme is a terrible product, I hated every second of it', 'complaint'],
  ] as const)('reads what a forum says in passing, %j, as %s', async (text, intent) => {
    expect((await on(text, 'hackernews')).intents).toContain(intent)
  })

  test.each([
    ["Here is what I've done with Acme this weekend", 'acme'],
    ["I can't stop using Acme, it is that good", 'acme'],
    ["Don't ditch Acme over one bad day", 'acme'],
    ['Sony just dropped Acme today and everyone loves it', 'acme'],
    ['We moved from Google to Bing, and I go there now', 'go'],
  ] as const)('sees nobody leave in %j, of %j', async (text, term) => {
    expect((await on(text, 'hackernews', term)).intents).not.toContain('churn_intent')
  })

  test.each([
    'Bump acme-sdk from 1.2.3 to 1.2.4',
    'Bump acme-sdk from 2.0.0 to 3.1.0 in /packages/web',
    'acme-sdk bump to 4.1',
    'build(deps): bump acme-sdk from 5.0.2 to 5.1.0',
  ])('finds no opinion of the industry, nor any other, in %j', async (text) => {
    for (const platform of ['github', 'stackoverflow', 'devto'] as const) {
      const { intents } = await on(text, platform, 'acme-sdk')
      for (const intent of ['industry_insight', 'complaint', 'praise', 'feedback', 'promotional'] as const)
        expect(intents).not.toContain(intent)
    }
  })

  test('tells faults, wishes and questions of developers apart', async () => {
    const issues = [
      [
        'Crash on startup when the config file is empty\nThe process exits with an exception. Steps to reproduce: run it with an empty file.',
        'bug_report',
      ],
      ['Allow several config files\nIt would be nice to have an option to pass more than one.', 'feedback'],
      ['How do I pass more than one config file?\nI read the docs and did not find it. Thanks in advance.', 'question'],
    ] as const
    for (const [text, intent] of issues) expect((await on(text, 'github')).intents).toContain(intent)
  })

  test('sees who wins a comparison', async () => {
    const wins = await on('In my tests Acme is much faster than Globex', 'reddit')
    const loses = await on('In my tests Acme is slower and less reliable than Globex', 'reddit')
    expect([wins.sentiment, loses.sentiment]).toEqual(['positive', 'negative'])
    expect(wins.intents).toContain('comparison')
    expect(loses.intents).toContain('comparison')
    expect(wins.note).toContain('better than something else')
    expect(loses.note).toContain('something else better')
  })

  test.each([
    ['In my tests Globex is much faster than Acme', 'negative'],
    ['I think Globex is way worse than Acme', 'positive'],
    ['Globex is cheaper and easier to use than Acme', 'negative'],
  ] as const)('sees who wins %j, where the keyword stands second', async (text, sentiment) => {
    const verdict = await on(text, 'reddit')
    expect(verdict.intents).toContain('comparison')
    expect(verdict.sentiment).toBe(sentiment)
  })

  test('calls two things side by side a comparison without taking sides', async () => {
    const { intents, sentiment } = await on('Acme vs Globex, a first look at both', 'reddit')
    expect(intents).toContain('comparison')
    expect(sentiment).toBe('neutral')
  })

  test('says no more of a long text without spaces or of ten thousand phrases than of a short one', async () => {
    for (const text of [
      'acme '.repeat(5000),
      'vs better than cancel my account '.repeat(2000),
      `acme ${'?'.repeat(8000)}`,
      'ER'.repeat(4000),
    ]) {
      const { note, intents } = await on(text)
      expect(note.length).toBeLessThanOrEqual(200)
      expect(intents.length).toBeLessThanOrEqual(15)
    }
  })

  test('gives a review of five stars praise and of one star a complaint, whatever its words', async () => {
    const rated = (rating: number) =>
      verdictOn(
        classifier,
        subjectFor('it works as it should', { post: { platform: 'googleplay', review: reviewOf(rating) } }),
      )
    expect((await rated(5)).intents).toContain('praise')
    expect((await rated(1)).intents).toContain('complaint')
    expect((await rated(3)).intents).not.toEqual(expect.arrayContaining(['praise']))
  })
})

describe('how a text sounds', () => {
  const evidenceIn = async () => {
    const model = await loadModel()
    const directions = directionsOf(vectorsOf(model))
    const [moods, purposeOf, reading] = [moodsOf(model, directions), purposeJudge(model, directions), newReading()]
    return {
      judge: judgeOf(model, await loadGrams()),
      evidenceOf(
        { post, keyword }: Subject,
        { stars = null, tone }: { stars?: number | null; tone?: Float64Array } = {},
      ): number[] {
        read(post, reading)
        const heard = tone ?? new Float64Array(SENTIMENTS.length)
        if (tone === undefined) toneOf(moods, reading, post.platform, keyword.term, heard)
        return [...purposeOf(reading, { platform: post.platform, term: keyword.term, stars, tone: heard }).evidence]
      },
    }
  }

  test('speaks for what it is for, but not for praise and complaints, which the sentiment decides', async () => {
    const { evidenceOf } = await evidenceIn()
    const subject = subjectFor('thinking of getting the new acme one of these days', { post: { platform: 'x' } })
    const [fond, cross] = [Float64Array.of(0.9, 0.05, 0.05), Float64Array.of(0.05, 0.05, 0.9)].map((tone) =>
      evidenceOf(subject, { tone }),
    )
    const of = (intent: Intent) => INTENTS.indexOf(intent)
    expect(fond![of('buy_intent')]).toBeGreaterThan(cross![of('buy_intent')]!)
    expect(cross![of('bug_report')]).toBeGreaterThan(fond![of('bug_report')]!)
    for (const opinion of ['praise', 'complaint'] as const) expect(fond![of(opinion)]).toBe(cross![of(opinion)])
  })

  test('is that of the words alone, whatever the stars and the marks of the team say', async () => {
    const { judge, evidenceOf } = await evidenceIn()
    const text = 'acme changed the report page again, same colours as last year'
    const starred = subjectFor(text, { post: { platform: 'googleplay', review: reviewOf(5) } })
    expect([...judge(starred).evidence]).toEqual(evidenceOf(starred, { stars: 5 }))
    const plain = subjectFor(text)
    const marked = subjectFor(text, {
      marks: Array.from({ length: 10 }, () => ({ relevant: null, sentiment: 'negative', text })),
    })
    expect(judge(plain).leaning).not.toBe(judge(marked).leaning)
    expect([...judge(marked).evidence]).toEqual([...judge(plain).evidence])
  })
})

describe('the rows of a text', () => {
  const into = new Int32Array(MOST_ROWS)
  const rowsOf = (text: string, venue: Venue = 'forum', reading = newReading()) => {
    readPlain(text, reading)
    return new Set(into.subarray(0, purposeRows(reading, venue, 17, into)))
  }
  const shared = (first: ReadonlySet<number>, second: ReadonlySet<number>) =>
    [...first].filter((row) => second.has(row)).length

  test('are two of every feature and one of every stem, of which each venue shares those that count everywhere', () => {
    const reading = newReading()
    const rows = rowsOf('it crashed twice', 'forum', reading)
    expect(rows.size).toBe(2 * reading.features.count + 3)
    expect(shared(rows, rowsOf('it crashed twice', 'reviews'))).toBe(reading.features.count)
  })

  test('are shared by the forms of a word as far as its stem goes, unless a negation reaches one of them', () => {
    const rowsWith = (words: string) => rowsOf(`this is the one that ${words} and it was on the way`)
    const alike = (first: string, second: string) => shared(rowsWith(first), rowsWith(second))
    expect(alike('opened', 'opens')).toBe(alike('opened', 'sings') + 1)
    expect(alike('never opened', 'never opens')).toBe(alike('never opened', 'never sings') + 1)
    expect(alike('always opened', 'never opens')).toBe(alike('always opened', 'never sings'))
  })

  test('have no stem of blame that a negation takes back', () => {
    const stems = (words: string) => {
      const reading = newReading()
      const rows = rowsOf(`this is the one that is ${words}`, 'forum', reading)
      return rows.size - 2 * reading.features.count
    }
    expect(stems('not big')).toBe(stems('not bad') + 2)
  })

  test('leave the features of the text as they were', () => {
    const reading = newReading()
    readPlain('it crashed twice', reading)
    const before = [...reading.features.bucket.subarray(0, reading.features.count)]
    const rows = [1, 2].map(() => [...into.subarray(0, purposeRows(reading, 'forum', 17, into))])
    expect([...reading.features.bucket.subarray(0, reading.features.count)]).toEqual(before)
    expect(rows[0]).toEqual(rows[1])
  })
})

describe('the parts of a model on intents', () => {
  test('are refused where they do not fit one another', async () => {
    const model = await loadModel()
    const directions = directionsOf(vectorsOf(model))
    const judgeFrom = (changed: Partial<Parts>) => () => purposeJudge({ ...model, ...changed }, directions)
    expect(judgeFrom({})).not.toThrow()
    const lines = numbersOf(model, 'intents.lines')
    expect(judgeFrom({ numbers: { ...model.numbers, 'intents.lines': lines.slice(1) } })).toThrow('do not fit together')
    const { 'intents.signs': signs, 'intents.comparing': comparing, 'intents.spelling': spelling } = model.heads
    expect(judgeFrom({ heads: { ...model.heads, 'intents.signs': { ...signs!, bits: 8 } } })).toThrow(
      'do not fit together',
    )
    const reordered = { ...comparing!, labels: ['none', 'worse', 'better'] }
    expect(judgeFrom({ heads: { ...model.heads, 'intents.comparing': reordered } })).toThrow('learned for other labels')
    const doubled = { ...spelling!, labels: ['without', 'with'] }
    expect(judgeFrom({ heads: { ...model.heads, 'intents.spelling': doubled } })).toThrow('learned for other labels')
  })
})
