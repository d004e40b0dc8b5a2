import { beforeAll, describe, expect, test } from 'vitest'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { brandOf } from '../keyword/brands.ts'
import { loadModel } from '../model/model-file.ts'
import { extractFeatures, newFeatures } from '../text/features.ts'
import { MANNER_BITS, MANNER_LABELS } from '../text/manner.ts'
import { newTokens, tokenise } from '../text/tokens.ts'
import { GROUPS, groupsOf, type LearnedGroups, newBelonging } from './group.ts'
import { decodeMoods } from './sentiment-parts.ts'

const tokens = newTokens()
const features = newFeatures(tokens)
const belonging = newBelonging()
const groupsIn = (
  learned: LearnedGroups,
  text: string,
  { platform = 'x', term = 'acme' }: { platform?: Platform; term?: string } = {},
) => {
  tokenise(text, tokens)
  extractFeatures(tokens, features)
  groupsOf(learned, tokens, features, platform, term, belonging)
  return Array.from(
    { length: belonging.count },
    (_, at) => [GROUPS[belonging.group[at]!] ?? belonging.group[at]!, belonging.share[at]!] as const,
  )
}
/** What finds all manners as likely as their bias says. */
const biased = (bias: Partial<Record<(typeof MANNER_LABELS)[number], number>>): LearnedGroups => ({
  manners: {
    labels: MANNER_LABELS,
    bits: MANNER_BITS,
    scale: MANNER_LABELS.map(() => 1),
    bias: MANNER_LABELS.map((label) => bias[label] ?? 0),
    weights: new Int8Array(MANNER_LABELS.length << MANNER_BITS),
  },
  brands: new Map([[brandOf('homedepot'), 3]]),
})

describe('the groups of a text', () => {
  test('are its family and, on social networks, the likeliest manner as far as it is likely', () => {
    const [family, manner, ...others] = groupsIn(biased({ de: 9, fr: 8 }), 'whatever')
    expect(family).toEqual(['social', 1])
    expect(manner![0]).toBe('de')
    expect(manner![1]).toBeCloseTo(0.73, 2)
    expect(others).toEqual([])
  })

  test('are no manner where none is likely, and none on other platforms', () => {
    expect(groupsIn(biased({ other: 9 }), 'whatever')).toEqual([['social', 1]])
    const others = [
      ['devto', 'developer'],
      ['trustpilot', 'reviews'],
      ['reddit', 'forum'],
      ['news', 'news'],
    ] as const
    for (const [platform, family] of others)
      expect(groupsIn(biased({ de: 9 }), 'whatever', { platform, term: 'Home Depot' })).toEqual([[family, 1]])
  })

  test('are the brand for all known brands and the one brand alone, however its name is written', () => {
    const brand = [
      ['social', 1],
      ['brand', 1],
      [GROUPS.length + 3, 0.5],
    ]
    for (const term of ['homedepot', 'HomeDepot', 'home depot', '@home-depot'])
      expect(groupsIn(biased({ de: 9 }), 'whatever', { term })).toEqual(brand)
    expect(groupsIn(biased({ other: 9 }), 'home depot', { term: 'home' })).toEqual([['social', 1]])
  })

  test('are the platform besides where it is told apart from its family', () => {
    for (const platform of ['github', 'stackoverflow'] as const)
      expect(groupsIn(biased({ de: 9 }), 'whatever', { platform })).toEqual([
        ['developer', 1],
        [platform, 0.5],
      ])
  })

  test('are the same for the same text, whatever was read in between', () => {
    const learned = biased({ diary: 3 })
    const first = groupsIn(learned, 'so tired')
    groupsIn(learned, 'word '.repeat(4000))
    expect(groupsIn(learned, 'so tired')).toEqual(first)
  })

  test('keep their order, which the model file relies on', () => {
    const manners = ['diary', 'ar', 'de', 'es', 'fr', 'hi', 'it', 'pt', 'conference']
    expect(GROUPS).toEqual([
      'social',
      'developer',
      'reviews',
      'forum',
      'news',
      'brand',
      ...manners,
      'github',
      'stackoverflow',
    ])
  })
})

describe('the manners that the model tells', () => {
  let learned: LearnedGroups
  beforeAll(async () => {
    learned = decodeMoods(await loadModel()).groups
  })
  const mannerOf = (text: string) =>
    groupsIn(learned, text).find(([, share]) => share < 1 && share >= 0.5)?.[0] ?? 'other'

  test.each([
    ['so tired today, I wish i could just stay in bed and watch a movie', 'diary'],
    ['Ich freue mich schon auf das Spiel heute Abend, das wird bestimmt gut', 'de'],
    ['Je ne sais pas pourquoi il fait aussi froid ce matin dans cette ville', 'fr'],
    ['No puedo creer que mañana ya tenga que volver a trabajar otra vez', 'es'],
    ['Hoje eu não quero fazer nada, só ficar em casa e dormir muito', 'pt'],
    ['Non vedo l’ora di tornare a casa, oggi è stata una giornata lunga', 'it'],
    ['صباح الخير يا أصدقاء، كيف حالكم اليوم', 'ar'],
    ['Waiting in line for the Google party @mention #sxsw {link}', 'conference'],
    ['Apple to hold its annual meeting in Cupertino on Friday http://example.com/a @acme', 'other'],
  ])('of %j: %s', (text, manner) => {
    expect(mannerOf(text)).toBe(manner)
  })

  test('are told with numbers also of an empty text', () => {
    expect(groupsIn(learned, '').every(([, share]) => Number.isFinite(share))).toBe(true)
  })
})
