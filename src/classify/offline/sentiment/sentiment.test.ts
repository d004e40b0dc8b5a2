import { beforeAll, describe, expect, test } from 'vitest'
import type { Sentiment } from '../../../domain/mention/classification.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { reviewOf } from '../../conformance.suite.ts'
import { brandOf } from '../keyword/brands.ts'
import { WIDTH } from '../model/convolution.ts'
import { directionsOf, vectorsOf } from '../model/directions.ts'
import { headOf, loadModel, type Model, sectionOf } from '../model/model-file.ts'
import { MANNER_LABELS } from '../text/manner.ts'
import { newReading, read, readPlain } from '../text/reading.ts'
import { GROUPS } from './group.ts'
import { honest, type Mood, moodOf, probabilitiesOf, toneOf } from './sentiment.ts'
import { type Moods, moodsOf, readyMoods, weigh } from './sentiment-model.ts'
import { decodeMoods, encodeMoods, WEIGHED } from './sentiment-parts.ts'

describe('sentiment', () => {
  let model: Model
  let moods: Moods
  const reading = newReading()
  const tone = new Float64Array(3)
  const probabilities = new Float64Array(3)
  beforeAll(async () => {
    model = await loadModel()
    moods = moodsOf(model, directionsOf(vectorsOf(model)))
  })
  const on = (
    text: string,
    {
      platform = 'reddit',
      term = 'acme',
      stars = null,
    }: { platform?: Platform; term?: string; stars?: number | null } = {},
  ): Mood => {
    const review = stars === null ? null : reviewOf(stars)
    const post = { platform, title: null, text, links: [], languageHint: null, author: null, review }
    read(post, reading)
    toneOf(moods, reading, platform, term, tone)
    return moodOf(tone, review, probabilities)
  }

  test.each<[string, Platform, Sentiment]>([
    ['acme is great, it just works', 'x', 'positive'],
    ['acme is great, it just works', 'github', 'positive'],
    ['acme is great, it just works', 'news', 'positive'],
    ['this update of acme is awful and I hate it', 'bluesky', 'negative'],
    ['this update of acme is awful and I hate it', 'stackoverflow', 'negative'],
    ['this update of acme is awful and I hate it', 'googleplay', 'negative'],
    ['The meeting of the acme group is on Tuesday at 10.', 'x', 'neutral'],
    ['Thanks, that fixed it!', 'stackoverflow', 'positive'],
  ])('reads %j on %s as %s', (text, platform, sentiment) => {
    expect(on(text, { platform }).sentiment).toBe(sentiment)
  })

  test.each([
    'Not bad',
    'not bad at all',
    "I don't hate Acme",
    'I do not hate Acme',
    "Acme isn't bad",
    "Acme isn't terrible",
    'Acme never disappoints',
    'nothing wrong with Acme',
  ])('does not take %j for blame', (text) => {
    for (const platform of ['x', 'reddit', 'github'] as const)
      expect([platform, on(text, { platform }).sentiment]).not.toEqual([platform, 'negative'])
  })

  test.each([
    'Acme is not good',
    'I hate Acme',
    'never been so disappointed with Acme',
    "isn't it terrible how acme treats people",
    'not sure why acme is so bad',
  ])('takes %j for blame', (text) => {
    for (const platform of ['x', 'reddit', 'github'] as const)
      expect([platform, on(text, { platform }).sentiment]).toEqual([platform, 'negative'])
  })

  test('says how often such a verdict is right: more often for a surer one, and stars know better', () => {
    const made = ['positive', 'neutral', 'negative'] as const
    for (const sentiment of made) {
      const sure = [0.34, 0.5, 0.7, 0.9, 1].map(
        (probability) => honest(moods, { sentiment, probability, stars: null }, 'x').probability,
      )
      expect(sure).toEqual([...sure].sort((first, second) => first - second))
      for (const one of sure) expect(one).toSatisfy((value: number) => value > 0 && value < 1)
    }
    expect(honest(moods, { sentiment: 'positive', probability: 0.95, stars: 5 }, 'appstore').probability).toBe(0.95)
  })

  test('gives probabilities that sum to 1, the highest to the sentiment that it names', () => {
    for (const text of ['acme', 'I love acme', 'acme? no', '😀', 'http://acme.com', 'me encanta acme']) {
      const { probability } = on(text)
      expect(probabilities.reduce((sum, probability) => sum + probability)).toBeCloseTo(1, 9)
      expect(probability).toBe(Math.max(...probabilities))
    }
  })

  test('does not carry anything over from a review or from an empty text', () => {
    on('terrible', { stars: 5 })
    expect([...probabilities].indexOf(Math.max(...probabilities))).toBe(0)
    on('')
    expect([...probabilities].indexOf(Math.max(...probabilities))).toBe(1)
  })

  test('is the same for the same text, whatever was read in between and wherever the keyword stood', () => {
    const first = on('acme is not as good as globex', { term: 'acme' })
    on('globex '.repeat(500), { term: 'globex' })
    on('İstanbul acme '.repeat(300), { term: 'acme' })
    expect(on('acme is not as good as globex', { term: 'acme' })).toEqual(first)
  })

  test('stays finite for very sure scores', () => {
    expect(probabilitiesOf([800, -800], 1)).toEqual([1, 0, 0])
    expect(probabilitiesOf([-800, -800], 1)).toEqual([0, 1, 0])
  })

  test('refuses parts that do not fit one another', () => {
    const parts = encodeMoods(decodeMoods(model))
    for (const [name, bytes] of Object.entries(parts.sections))
      expect(Buffer.compare(bytes, sectionOf(model, name))).toBe(0)
    for (const name of ['units', 'filters'])
      for (const count of [31, -1, 1.5, Number.NaN])
        expect(() => decodeMoods({ ...parts, numbers: { ...parts.numbers, [`sentiment.${name}`]: [count] } })).toThrow(
          'do not fit together',
        )
    // Half a filter whose bytes are all there.
    const rows = sectionOf(model, 'sentiment.filters').length / decodeMoods(model).convolution.bias.length
    const half = {
      numbers: { ...parts.numbers, 'sentiment.filters': [0.5] },
      sections: { ...parts.sections, 'sentiment.filters': new Uint8Array(rows / 2) },
    }
    expect(() => decodeMoods({ ...parts, ...half })).toThrow('do not fit together')
    expect(() =>
      decodeMoods({
        ...parts,
        heads: { ...parts.heads, sentiment: { ...headOf(model, 'sentiment', WEIGHED), bits: 18 } },
      }),
    ).toThrow('do not fit together')
    const damaged = { brands: [1], groups: [0, 0], sureness: [1], temperature: [], step: [] }
    for (const [name, numbers] of Object.entries(damaged))
      expect(() => decodeMoods({ ...parts, numbers: { ...parts.numbers, [`sentiment.${name}`]: numbers } })).toThrow(
        'do not fit together',
      )
    const manners = headOf(model, 'sentiment.manners', MANNER_LABELS)
    const reordered = { ...manners, labels: manners.labels.toReversed() }
    expect(() => decodeMoods({ ...parts, heads: { ...parts.heads, 'sentiment.manners': reordered } })).toThrow(
      'learned for other labels',
    )
  })
})

describe('the words', () => {
  test('are read by what was learned of them, the others by their direction, and those without one not at all', async () => {
    const model = await loadModel()
    const directions = directionsOf(vectorsOf(model))
    const { parts, words } = moodsOf(model, directions)
    const { keys, dimensions, vectors } = parts.words
    const vectorOf = (key: number) => [
      ...words.vectors.subarray(words.rowOf(key) * dimensions, (words.rowOf(key) + 1) * dimensions),
    ]
    for (const [row, key] of keys.entries())
      if (row % 100 === 0)
        expect(vectorOf(key)).toEqual(
          [...vectors.subarray(row * dimensions, (row + 1) * dimensions)].map((value) =>
            Math.fround(value * parts.step),
          ),
        )
    const learned = new Set(keys)
    const others = [...directions.keys.entries()].filter(([, key]) => !learned.has(key))
    expect(others.length).toBeGreaterThan(5000)
    const lengths = new Set<string>()
    for (const [row, key] of others) {
      const own = vectorOf(key)
      // How people rate it is not known.
      expect(own.pop()).toBe(0)
      const along = own.reduce((sum, value, at) => sum + value * directions.unit[row * directions.dimensions + at]!, 0)
      expect(along).toBeCloseTo(Math.hypot(...own), 4)
      lengths.add(along.toFixed(3))
    }
    expect(lengths.size).toBe(1)
    const unknown = Array.from({ length: 5000 }, (_, key) => key).filter(
      (key) => !learned.has(key) && !directions.keys.includes(key),
    )
    expect(unknown.length).toBeGreaterThan(1000)
    for (const key of unknown) expect(words.rowOf(key)).toBe(-1)
  })

  test('are refused where their directions have another width', async () => {
    const model = await loadModel()
    const directions = directionsOf(vectorsOf(model))
    expect(() => moodsOf(model, { ...directions, dimensions: directions.dimensions - 1 })).toThrow(
      'damaged: its words have no such directions',
    )
  })
})

describe('the weights of groups', () => {
  const BRAND = 2
  const known = 'homedepot'
  /** Moods that say what their groups' weights say: `weight` for every feature, and the bias of each group. */
  const moodsWith = async (
    weight: number,
    biasOf: (group: number) => number,
    said = (_group: number) => 0,
    common = 0,
  ) => {
    const model = await loadModel()
    const parts = decodeMoods(model)
    const weights = new Int8Array(parts.head.weights.length)
    // The upper half holds the rows of groups.
    weights.fill(weight, weights.length / 2)
    const manners = {
      ...parts.groups.manners,
      bias: MANNER_LABELS.map((label) => (label === 'de' ? 9 : label === 'fr' ? 8 : 0)),
    }
    return readyMoods(
      {
        ...parts,
        head: { ...parts.head, weights, bias: [0, 0], scale: [1, 1] },
        groups: {
          manners: { ...manners, weights: new Int8Array(manners.weights.length) },
          brands: new Map([0, 1, brandOf(known)].map((brand, place) => [brand, place])),
        },
        groupBias: Array.from({ length: 2 * (GROUPS.length + 3) }, (_, at) => biasOf(at >> 1)),
        net: { ...parts.net, second: new Float32Array(parts.net.second.length) },
        // A filter that always finds something.
        convolution: {
          weights: new Float32Array(WIDTH * parts.words.dimensions),
          bias: Float32Array.of(1),
          negated: Float32Array.of(0),
          common: Float32Array.of(common, common),
          own: Float32Array.from({ length: 2 * (GROUPS.length + 3) }, (_, at) => said(at >> 1)),
        },
      },
      directionsOf(vectorsOf(model)),
    )
  }
  const scoresOf = (moods: Moods, platform: Platform, term: string) => {
    const reading = newReading()
    readPlain('some words', reading)
    const into = new Float64Array(2)
    weigh(moods, reading, platform, term, into)
    return { scores: [...into], root: Math.sqrt(moods.features!.count) }
  }
  const german = 1 / (1 + Math.exp(-1) + (MANNER_LABELS.length - 2) * Math.exp(-9))

  test('count as far as the text belongs to the group: all brands whole, the one brand half, a manner as it is likely', async () => {
    const moods = await moodsWith(3, () => 0)
    const weightOf = (platform: Platform, term: string) => {
      const { scores, root } = scoresOf(moods, platform, term)
      expect(scores[0]).toBe(scores[1])
      return scores[0]! / root
    }
    expect(weightOf('x', 'Home Depot')).toBeCloseTo(3 * 1.5, 9)
    expect(weightOf('x', 'acme')).toBeCloseTo(3 * german, 9)
    expect(weightOf('reddit', 'Home Depot')).toBeCloseTo(3, 9)
  })

  test('stand beside a bias of every group, which counts as much', async () => {
    const moods = await moodsWith(
      0,
      (group) =>
        10 ** (group === 0 ? 0 : group === GROUPS.indexOf('brand') ? 1 : group === GROUPS.length + BRAND ? 2 : 3),
    )
    expect(scoresOf(moods, 'x', 'Home Depot').scores).toEqual([1 + 10 + 50, 1 + 10 + 50])
    expect(scoresOf(moods, 'x', 'acme').scores[0]).toBeCloseTo(1 + 1000 * german, 9)
    expect(scoresOf(moods, 'reddit', 'Home Depot').scores).toEqual([1000, 1000])
  })

  test('are joined by what the filters say everywhere and in every group', async () => {
    const forum = GROUPS.indexOf('forum')
    const github = GROUPS.indexOf('github')
    const moods = await moodsWith(
      0,
      () => 0,
      (group) => (group === forum ? 1 : group === GROUPS.length + BRAND ? 10 : group === github ? 100 : 0),
      1000,
    )
    expect(scoresOf(moods, 'reddit', 'acme').scores).toEqual([1001, 1001])
    expect(scoresOf(moods, 'x', 'Home Depot').scores).toEqual([1005, 1005])
    expect(scoresOf(moods, 'github', 'acme').scores).toEqual([1050, 1050])
    expect(scoresOf(moods, 'devto', 'acme').scores).toEqual([1000, 1000])
  })
})
