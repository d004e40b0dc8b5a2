import { INTENTS } from '../../../domain/mention/classification.ts'
import { type FigureName, MARKS } from '../../../store/filter/block-figures.ts'
import type { Dimension } from '../selected.ts'
import type { KeywordFacts } from './keyword-facts.ts'
import type { Portion } from './portions.ts'

/** How mentions are divided: each has one key, which stands for its values. */
export interface Division {
  names: readonly FigureName[]
  /** Null where the figures of a portion do not tell the keys. */
  keysOf(portion: Portion): ((at: number) => number) | null
  /** As the database writes them, null for unknown. `keywords` holds every keyword that is asked about. */
  valuesOf(key: number, keywords: ReadonlyMap<number, KeywordFacts>): (string | null)[]
}

export type DividedBy = Dimension | 'platform and reply'

const UNDIVIDED: Division = { names: [], keysOf: () => () => 0, valuesOf: () => [null] }

export function divisionOf(by: DividedBy | null): Division {
  switch (by) {
    case null:
      return UNDIVIDED
    case 'platform':
      return { ...bytes('platforms', (byte) => byte), valuesOf: (key) => [String(key)] }
    case 'platform and reply':
      return {
        names: ['platforms'],
        keysOf: ({ figures: { platforms, marks } }) =>
          platforms && marks ? (at) => 2 * platforms.getUint8(at) + Number(MARKS.isReply(marks.getUint8(at))) : null,
        // Which platform, then `reply` or `post`.
        valuesOf: (key) => [`${key >> 1} ${key % 2 === 1 ? 'reply' : 'post'}`],
      }
    case 'sentiment':
      return { ...bytes('marks', MARKS.sentimentPlace), valuesOf: (key) => [key < 0 ? null : String(key)] }
    case 'language':
      return { ...integers('languages'), valuesOf: (key) => [languageOf(key)] }
    case 'intent':
      return { ...integers('intents'), valuesOf: intentsIn }
    case 'keyword':
      return { ...integers('keywords'), valuesOf: (key, keywords) => [keywords.get(key)!.id] }
    case 'group':
      return { ...integers('keywords'), valuesOf: (key, keywords) => [keywords.get(key)!.groupId] }
  }
}

function bytes(name: 'platforms' | 'marks', keyOf: (byte: number) => number): Pick<Division, 'names' | 'keysOf'> {
  return {
    names: [name],
    keysOf: ({ figures }) => {
      const column = figures[name]
      return column === undefined ? null : (at) => keyOf(column.getUint8(at))
    },
  }
}

function integers(name: 'languages' | 'intents' | 'keywords'): Pick<Division, 'names' | 'keysOf'> {
  return {
    names: [name],
    keysOf: ({ figures }) => {
      const column = figures[name]
      return column === undefined ? null : (at) => column.getInt32(4 * at)
    },
  }
}

/** Four letters, filled up with spaces. */
function languageOf(key: number): string | null {
  const letters = Buffer.alloc(4)
  letters.writeInt32BE(key)
  return letters.toString('utf8').trimEnd() || null
}

function intentsIn(bits: number): (string | null)[] {
  const places = INTENTS.flatMap((_, place) => ((bits & (1 << place)) === 0 ? [] : [String(place)]))
  return places.length === 0 ? [null] : places
}
