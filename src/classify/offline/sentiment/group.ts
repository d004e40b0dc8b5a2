import type { Platform } from '../../../domain/platform/platforms.ts'
import { brandOf } from '../keyword/brands.ts'
import { labelOf } from '../keyword/keyword.ts'
import { FAMILIES, familyOf } from '../model/family.ts'
import { softmaxOf } from '../model/heads.ts'
import type { ModelFileHead } from '../model/model-file.ts'
import type { Features } from '../text/features.ts'
import { MANNER_LABELS, MANNERS, type MannerTraits, mannerTraitsOf, newMannerTraits } from '../text/manner.ts'
import type { Tokens } from '../text/tokens.ts'

/** Platforms that have weights of their own beside those of their family. */
const TOLD_APART = ['github', 'stackoverflow'] as const satisfies readonly Platform[]

/**
 * Groups of texts: the families, on social networks what is written of brands that were learned, and manners of
 * writing, and single platforms. All but the first have weights of their own beside the common ones, and of every one
 * the filters say something of their own. The order is part of the model's format.
 */
export const GROUPS = [...FAMILIES, 'brand', ...MANNERS, ...TOLD_APART] as const

/** What was learned of the groups that no platform tells. */
export interface LearnedGroups {
  /** For each of MANNER_LABELS what speaks for it. */
  manners: ModelFileHead
  /** Places of the brands, by their `brandOf` and in rising order; each is a group of its own, behind GROUPS. */
  brands: ReadonlyMap<number, number>
}

/**
 * The groups of one text, of which the first `count` entries count, and how much it belongs to each. Reused from text
 * to text.
 */
export interface Belonging {
  count: number
  /** Places in GROUPS, or behind them. */
  group: Int32Array
  share: Float64Array
  traits: MannerTraits
  manners: Float64Array
}

/**
 * A text belongs to so many groups at most: its family, the brands together and the one brand. Its platform takes the
 * place of brands.
 */
export const MOST_GROUPS = 3

export function newBelonging(): Belonging {
  return {
    count: 0,
    group: new Int32Array(MOST_GROUPS),
    share: new Float64Array(MOST_GROUPS),
    traits: newMannerTraits(),
    manners: new Float64Array(MANNER_LABELS.length),
  }
}

/**
 * The groups of a text about the keyword `term`: its family, perhaps its platform, and on social networks the brand, or
 * the likeliest manner.
 */
export function groupsOf(
  { manners, brands }: LearnedGroups,
  tokens: Tokens,
  features: Features,
  platform: Platform,
  term: string,
  into: Belonging,
): void {
  const family = familyOf(platform)
  into.count = 0
  belong(into, FAMILIES.indexOf(family), 1)
  const apart = (TOLD_APART as readonly Platform[]).indexOf(platform)
  if (apart >= 0) belong(into, FIRST_PLATFORM + apart, ALONE)
  if (family !== 'social') return
  const brand = brands.get(brandOf(labelOf(term)))
  if (brand !== undefined) {
    belong(into, BRAND, 1)
    belong(into, GROUPS.length + brand, ALONE)
    return
  }
  mannerTraitsOf(tokens, features, into.traits)
  softmaxOf(manners, into.traits, into.manners)
  let best = 1
  for (let label = 2; label < into.manners.length; label += 1)
    if (into.manners[label]! > into.manners[best]!) best = label
  if (into.manners[best]! >= LEAST) belong(into, FIRST_MANNER + best - 1, into.manners[best]!)
}

function belong(into: Belonging, group: number, share: number): void {
  into.group[into.count] = group
  into.share[into.count] = share
  into.count += 1
}

const BRAND = GROUPS.indexOf('brand')
const FIRST_MANNER = GROUPS.indexOf(MANNERS[0])
const FIRST_PLATFORM = GROUPS.indexOf(TOLD_APART[0])
/** What was learned of one brand, or one platform, rests on few texts. */
const ALONE = 0.5
/** A manner that is less likely than this has no say. */
const LEAST = 0.1
