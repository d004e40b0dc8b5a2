import { type FigureName, isMinute } from '../../../store/filter/block-figures.ts'
import type { ExactSet } from '../../../store/filter/exact-sets.ts'
import { type Periods, unfigured } from '../../../store/filter/mention-blocks.ts'
import { setOf } from '../../mentions/count-mentions.ts'
import type { ResolvedSearch } from '../../mentions/search.ts'
import type { QueryContext } from '../../reading.ts'
import type { Sums } from './cells.ts'
import { type DividedBy, type Division, divisionOf } from './division.ts'
import { isWanted, type KeywordFacts, keywordPart, readKeywordFacts } from './keyword-facts.ts'
import { readMerged } from './people.ts'
import { readPortions } from './portions.ts'
import { Tally } from './tally.ts'

type Reading = Pick<QueryContext, 'db' | 'workspaceId' | 'clock'>

export interface Asked extends Periods {
  by: DividedBy | null
  /** Whether to sum more than mentions and those that are relevant; 0 otherwise. */
  sums: boolean
  people: boolean
}

export interface Row {
  /** Which of the periods, from 0. */
  slot: number
  value: string | null
  sums: Sums
}

export interface Found {
  /** By period, without those of no mention. */
  whole: Row[]
  /** By period and value, of which a mention may have several. */
  parted: Row[]
  /** Distinct known authors of each period; empty unless asked for. */
  people: number[]
  keywords: ReadonlyMap<number, KeywordFacts>
}

/** With more of them, mentions are read by publication instead. */
const UNFIGURED_MAX = 200

/**
 * What a search finds by period, from the figures of blocks; null where these do not tell it. Only mentions of blocks
 * without figures that hold, of no block, hidden or triaged are looked at.
 */
export async function readFigures(reading: Reading, search: ResolvedSearch, asked: Asked): Promise<Found | null> {
  const { starts, end } = asked
  const ways = waysOf(search)
  if (ways === null || ![...starts, end].every(isMinute)) return null
  const [unknown] = await reading.db.query(unfigured(reading.workspaceId))
  if (unknown!.blocks > UNFIGURED_MAX) return null
  const division = divisionOf(asked.by)
  const asksKeyword = ways.ofKeyword.length > 0
  const names = namesOf(asked, division, asksKeyword)
  const keywords = names.includes('keywords') ? await readKeywordFacts(reading) : new Map<number, KeywordFacts>()
  if (keywords === null) return null
  const wanted = asksKeyword
    ? new Set(
        [...keywords].filter(([, facts]) => ways.ofKeyword.every((part) => isWanted(facts, part))).map(([key]) => key),
      )
    : null
  const at = reading.clock.now()
  const portions = await readPortions(reading, search, { set: ways.set, periods: { starts, end }, names, at })
  const counting = { starts, end, sums: asked.sums, keywords: wanted, onlyOpen: ways.onlyOpen, at }
  const tally = new Tally(counting, division)
  return (await tally.addAll(portions)) ? await foundIn(reading, tally, asked, keywords) : null
}

type KeywordPart = ReturnType<typeof keywordPart>['ofKeyword']

/** What the sets of blocks tell of a search, where they and the keywords tell all of it. */
function waysOf(search: ResolvedSearch): { set: ExactSet | null; ofKeyword: KeywordPart[]; onlyOpen: boolean } | null {
  const times = [search.since, search.until, search.createdSince, search.createdUntil]
  if (times.some((time) => time !== null)) return null
  const parts = search.filters.map(keywordPart)
  const filters = parts.map(({ rest }) => rest)
  const set = setOf({ ...search, filters })
  if (set === null) return null
  const asksNothing = filters.every(({ status, ...rest }) => Object.keys(rest).length === 0)
  return {
    set: asksNothing ? null : set,
    onlyOpen: filters.some(({ status }) => status === 'open'),
    ofKeyword: parts.map(({ ofKeyword }) => ofKeyword).filter((part) => Object.keys(part).length > 0),
  }
}

function namesOf({ sums, people }: Asked, division: Division, asksKeyword: boolean): FigureName[] {
  const names = new Set<FigureName>(['published', 'marks', 'snoozes', ...division.names])
  if (asksKeyword) names.add('keywords')
  if (sums) names.add('followers').add('engagement')
  if (people) names.add('accounts')
  return [...names]
}

async function foundIn(
  reading: Reading,
  tally: Tally,
  { people }: Asked,
  keywords: ReadonlyMap<number, KeywordFacts>,
): Promise<Found | null> {
  // A keyword that was added meanwhile is not among them.
  if (tally.division.names.includes('keywords') && tally.cells.keys().some((key) => !keywords.has(key))) return null
  const merged = people ? await readMerged(reading) : []
  return {
    whole: tally.cells.byValue(() => [null]),
    parted: tally.cells.byValue((key) => tally.division.valuesOf(key, keywords)),
    people: people ? Array.from({ length: tally.slots }, (_, slot) => tally.accounts.peopleIn(slot, merged)) : [],
    keywords,
  }
}
