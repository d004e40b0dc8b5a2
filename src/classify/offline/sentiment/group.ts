import type { Platform } from '../../../domain/platform/platforms.ts'
import { brandOf } from '../keyword/brands.ts'
import { labelOf } from '../keyword/keyword.ts'
import { FAMILIES, familyOf } from '../model/family.ts'
import { softmaxOf } from '../model/heads.ts'
import type { ModelFileHead } from '../model/model-file.ts'
import type { Features } from '../text/features.ts'
import { MANNER_LABELS, MANNERS, type MannerTraits, mannerTraitsOf, newMannerTraits } from '../text/manner.ts'
import type { Tokens } from '../text/tokens.ts'

/** Platforms with weights besides those of their family. */
const TOLD_APART = ['github', 'stackoverflow'] as const satisfies readonly Platform[]

/**
 * All groups but the first have feature weights besides the common ones, and every group has filter weights. The order
 * is part of the model's format.
 */
export const GROUPS = [...FAMILIES, 'brand', ...MANNERS, ...TOLD_APART] as const

export interface LearnedGroups {
  manners: ModelFileHead
  /** Positions by `brandOf`, ascending. A brand's group is GROUPS.length plus its position. */
  brands: ReadonlyMap<number, number>
}

/** Reused from text to text; the first `count` entries are valid. */
export interface Belonging {
  count: number
  group: Int32Array
  share: Float64Array
  traits: MannerTraits
  manners: Float64Array
}

/** The family, all brands and one brand; a single platform takes the place of brands. */
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
/** A single brand or platform counts half, because its weights were learned from few texts. */
const ALONE = 0.5
/** Less likely manners are ignored. */
const LEAST = 0.1
