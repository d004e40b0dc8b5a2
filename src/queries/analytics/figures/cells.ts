import { SENTIMENTS } from '../../../domain/mention/classification.ts'
import { MARKS } from '../../../store/filter/block-figures.ts'
import type { SumsRow } from '../selected.ts'

export interface Sums extends SumsRow {
  unscored: number
}

/** Which marks are counted apart: a class for each value, and one of its marks. */
interface Classes {
  of: Uint8Array
  marks: readonly number[]
}

const ALL_MARKS = Array.from({ length: MARKS.end }, (_, marks) => marks)
export const EVERY_MARK: Classes = { of: Uint8Array.from(ALL_MARKS), marks: ALL_MARKS }
export const ONLY_RELEVANT: Classes = {
  of: Uint8Array.from(ALL_MARKS, (marks) => Number(MARKS.isRelevant(marks))),
  marks: [0, ALL_MARKS.find(MARKS.isRelevant)!],
}

/** Sums for each key and each of so many slots. */
export class Cells {
  /** The numbers of a cell: a count of mentions for each class of marks, then reach and engagement. */
  readonly width: number
  private sums: Float64Array
  private readonly places = new Map<number, number>()
  private readonly reach: number

  constructor(
    private readonly slots: number,
    private readonly classes: Classes,
  ) {
    this.reach = classes.marks.length
    this.width = this.reach + 2
    this.sums = new Float64Array(16 * slots * this.width)
  }

  /** Where the cells of a key begin, one for each slot. */
  placeOf(key: number): number {
    return this.places.get(key) ?? this.makePlace(key)
  }

  private makePlace(key: number): number {
    const place = this.places.size * this.slots * this.width
    this.places.set(key, place)
    if (place + this.slots * this.width > this.sums.length) {
      const larger = new Float64Array(2 * this.sums.length)
      larger.set(this.sums)
      this.sums = larger
    }
    return place
  }

  addCounts(cell: number, followers: number, engagement: number): void {
    this.sums[cell + this.reach]! += followers
    this.sums[cell + this.reach + 1]! += engagement
  }

  add(cell: number, marks: number, weight: number): void {
    this.sums[cell + this.classes.of[marks]!]! += weight
  }

  keys(): number[] {
    return [...this.places.keys()]
  }

  /** The sums of each value of the keys, without those of no mention. */
  byValue(valuesOf: (key: number) => (string | null)[]): { slot: number; value: string | null; sums: Sums }[] {
    const length = this.slots * this.width
    const found = new Map<string | null, Float64Array>()
    for (const [key, place] of this.places)
      for (const value of valuesOf(key)) {
        const all = found.get(value) ?? new Float64Array(length)
        found.set(value, all)
        for (let at = 0; at < length; at += 1) all[at]! += this.sums[place + at]!
      }
    return [...found].flatMap(([value, all]) =>
      Array.from({ length: this.slots }, (_, slot) => ({ slot, value, sums: this.sumsIn(all, slot) })).filter(
        ({ sums }) => sums.mentions > 0,
      ),
    )
  }

  private sumsIn(all: Float64Array, slot: number): Sums {
    const sums = nothing()
    const cell = slot * this.width
    for (let at = 0; at < this.reach; at += 1) {
      const count = all[cell + at]!
      if (count === 0) continue
      const marks = this.classes.marks[at]!
      sums.mentions += count
      if (MARKS.isRelevant(marks)) sums.relevant += count
      if (!MARKS.isScored(marks)) sums.unscored += count
      const sentiment = SENTIMENTS[MARKS.sentimentPlace(marks)]
      if (sentiment !== undefined) sums[sentiment] += count
    }
    sums.reach = all[cell + this.reach]!
    sums.engagement = all[cell + this.reach + 1]!
    return sums
  }
}

function nothing(): Sums {
  return { mentions: 0, relevant: 0, unscored: 0, positive: 0, neutral: 0, negative: 0, reach: 0, engagement: 0 }
}
