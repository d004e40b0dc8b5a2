import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { decodeModel, MODEL_ADDRESS, sectionOf } from '../model/model-file.ts'
import { newTokens, tokenise } from '../text/tokens.ts'
import { type LanguageOf, languagesOf } from './language.ts'
import { type Grams, gramWeigher, loadGrams } from './language-grams.ts'
import { decodeLanguages, encodeLanguages, LANGUAGE_BUCKETS, type LearnedLanguages } from './language-marks.ts'

const tokens = newTokens()
let grams: Grams
let learned: LearnedLanguages
let languageOf: LanguageOf
beforeAll(async () => {
  grams = await loadGrams()
  learned = decodeLanguages(sectionOf(decodeModel(readFileSync(MODEL_ADDRESS)), 'language.marks'))
  languageOf = languagesOf({ grams, learned })
})

function languageIn(text: string, hint: string | null = null, platform: Platform = 'x'): string | null {
  tokenise(text, tokens)
  return languageOf(tokens, { platform, languageHint: hint })
}

/** Sentences made for this test, of languages that are easily taken for another one. */
const SENTENCES: [string, string][] = [
  ['Ho comprato un telefono nuovo e funziona benissimo', 'it'],
  ['Comprei um telemóvel novo e funciona muito bem', 'pt'],
  ['He comprado un teléfono nuevo y funciona muy bien', 'es'],
  ['Ik heb een nieuwe telefoon gekocht en hij werkt heel goed', 'nl'],
  ['Jeg har kjøpt en ny telefon, og den virker ikke ennå', 'nb'],
  ['Jag har köpt en ny telefon och den fungerar mycket bra', 'sv'],
  ['Jeg har købt en ny telefon, og den virker rigtig godt', 'da'],
  ['Ostin uuden puhelimen ja se toimii todella hyvin', 'fi'],
  ['Kupiłem nowy telefon i działa bardzo dobrze', 'pl'],
  ['Koupil jsem si nový telefon a funguje velmi dobře', 'cs'],
  ['Vettem egy új telefont, és nagyon jól működik', 'hu'],
  ['Yeni bir telefon aldım ve çok iyi çalışıyor', 'tr'],
  ['Я купил новый телефон, и он работает очень хорошо', 'ru'],
  ['Я купив новий телефон, і він працює дуже добре', 'uk'],
  ['Купих си нов телефон и работи много добре', 'bg'],
  ['Αγόρασα ένα νέο τηλέφωνο και λειτουργεί πολύ καλά', 'el'],
  ['اشتريت هاتفا جديدا وهو يعمل بشكل جيد جدا', 'ar'],
  ['من یک گوشی جدید خریدم و خیلی خوب کار می کند', 'fa'],
  ['קניתי טלפון חדש והוא עובד טוב מאוד', 'he'],
  ['मैंने एक नया फोन खरीदा और यह बहुत अच्छा काम करता है', 'hi'],
  ['ฉันซื้อโทรศัพท์ใหม่และมันใช้งานได้ดีมาก', 'th'],
  ['新しい電話を買いました。とてもよく動きます', 'ja'],
  ['새 전화기를 샀는데 아주 잘 작동합니다', 'ko'],
  ['我买了一部新手机，用起来非常好', 'zh'],
  ['Tôi đã mua một chiếc điện thoại mới và nó hoạt động rất tốt', 'vi'],
  ['lol this app is so good', 'en'],
  ['Crashes on startup since v2.3', 'en'],
]

describe('the language of a text', () => {
  test.each(SENTENCES)('is told for %j: %s', (text, language) => {
    expect(languageIn(text)).toBe(language)
  })

  test('is not told by addresses, handles, hashtags, numbers and emoji, which leave nothing to read', () => {
    for (const text of [
      '',
      '😀😀😀',
      'https://example.de/das/ist/eine/adresse',
      '@jemand @irgendwer',
      '#wunderbar #schön',
      '12345 67.890',
      '!!! ???',
      'ok',
    ])
      expect(languageIn(text)).toBeNull()
  })

  test('is the platform’s where hardly anything is written, and the hint tips the scales only where words leave room', () => {
    expect(languageIn('ok', 'pt-BR')).toBe('pt')
    expect(languageIn('ok', 'NO')).toBe('nb')
    expect(languageIn('ok', 'xx-unknown')).toBeNull()
    expect(languageIn('', 'de')).toBeNull()
    expect(languageIn('Das ist eine sehr gute Sache und ich freue mich darüber', 'en')).toBe('de')
    expect(languageIn('The quick answer is that you should just update it', 'fr')).toBe('en')
  })

  test('is a known code or null for any text, hint and platform, and the same one again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.option(fc.string({ maxLength: 6 })),
        fc.constantFrom<Platform>('x', 'github', 'news'),
        (text, hint, platform) => {
          const language = languageIn(text, hint, platform)
          expect(language === null || learned.languages.includes(language)).toBe(true)
          expect(languageIn(text, hint, platform)).toBe(language)
        },
      ),
    )
  })

  test('is weighed by the n-grams as the package weighs them', () => {
    // A process of its own, because the package takes 140 MB for what the arrays hold in 5.
    const script =
      "const { eld } = await import('eld/large'); console.log(JSON.stringify(JSON.parse(process.argv[1]).map((text) => eld.detect(text).language)))"
    const texts = SENTENCES.map(([text]) => text)
    const theirs = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(texts)], {
        encoding: 'utf8',
      }),
    ) as string[]
    const weigh = gramWeigher(grams)
    const scores = new Float64Array(learned.languages.length)
    const own = texts.map((text) => {
      tokenise(text, tokens)
      weigh(tokens, scores)
      return grams.languages[scores.indexOf(Math.max(...scores))]
    })
    // Numbers and letters in one word are cut in another way.
    const plain = texts.flatMap((text, at) => (/\d/.test(text) ? [] : [at]))
    expect(plain.map((at) => own[at])).toEqual(plain.map((at) => theirs[at]!.replace('no', 'nb')))
  })

  test('is told by the beginning of a long text', () => {
    expect(languageIn('Das ist ein sehr langer Text. '.repeat(20) + 'questa è una parola italiana '.repeat(3000))).toBe(
      'de',
    )
  })
})

describe('what is held of languages beside the words', () => {
  /** Tells languages by their odds alone, as where words say nothing for or against any of these. */
  function languageByOdds(odds: Record<string, number>, text: string, platform: Platform): string | null {
    const bias = learned.languages.map((language) => odds[language] ?? -9)
    const nothing = { counts: new Uint8Array(LANGUAGE_BUCKETS), language: new Uint8Array(), weight: new Int8Array() }
    tokenise(text, tokens)
    return languagesOf({ grams, learned: { ...learned, ...nothing, trust: 0, bias } })(tokens, {
      platform,
      languageHint: null,
    })
  }

  test('asks more of English the longer the text is, because others quote it', () => {
    const odds = { en: 1, nl: 0 }
    const title = 'modern warfare'
    expect(languageByOdds(odds, title, 'news')).toBe('en')
    expect(
      languageByOdds(
        odds,
        `twee studios helpen bij ${title} en nog een derde werkt aan de volgende delen van het spel`,
        'news',
      ),
    ).toBe('nl')
  })

  test('holds English for likelier where nearly everything is English', () => {
    const odds = { en: 0, nl: 0.8 }
    expect(languageByOdds(odds, 'winter', 'github')).toBe('en')
    expect(languageByOdds(odds, 'winter', 'x')).toBe('nl')
  })
})

describe('what was learned of languages', () => {
  test('is read as it was written, and refused when bytes are missing', () => {
    const bytes = encodeLanguages(learned)
    expect(decodeLanguages(bytes)).toEqual(learned)
    expect(() => decodeLanguages(bytes.subarray(0, bytes.length - 1))).toThrow(/another length/)
  })
})
