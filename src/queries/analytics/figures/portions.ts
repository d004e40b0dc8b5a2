import { type Statement, sql } from '../../../store/database.ts'
import { blockCondition } from '../../../store/filter/block-conditions.ts'
import { FIGURES, type FigureName } from '../../../store/filter/block-figures.ts'
import type { ExactSet } from '../../../store/filter/exact-sets.ts'
import { byAccounts } from '../../../store/filter/filter-sql.ts'
import { blockOf, figuredBlocks, type Periods } from '../../../store/filter/mention-blocks.ts'
import { keywordJoin, type ResolvedSearch, readMuted } from '../../mentions/search.ts'
import { foundCondition, isAsleep, searchCondition } from '../../mentions/search-condition.ts'
import type { QueryContext } from '../../reading.ts'

type Reading = Pick<QueryContext, 'db' | 'workspaceId'>

/** Figures of some mentions: those of a block, or others that were looked at. */
export interface Portion {
  /** -1 for mentions that stand in a block and do not count. */
  weight: 1 | -1
  size: number
  /** A 1 for each mention that counts; null where all do. */
  asked: string | null
  /** The place of the period in which all were published; null where `published` tells. */
  slot: number | null
  figures: Partial<Record<FigureName, DataView>>
}

interface Row extends Partial<Record<FigureName, Buffer | null>> {
  weight: 1 | -1
  asked: string | null
  slot: number | null
}

interface Asked {
  /** Null for every mention. */
  set: ExactSet | null
  periods: Periods
  names: readonly FigureName[]
  /** Decides snoozes. */
  at: Date
}

/**
 * The figures of all mentions that a search may find in the periods; others may be among them. Of blocks count those of
 * the set, all others meet the whole search.
 */
export async function readPortions(reading: Reading, search: ResolvedSearch, asked: Asked): Promise<Portion[]> {
  const rows = await reading.db.query<Row>(await selectPortions(reading, search, asked))
  return rows.filter((row) => row.marks != null).map((row) => portionOf(row, asked.names))
}

async function selectPortions(reading: Reading, search: ResolvedSearch, asked: Asked): Promise<Statement<Row>> {
  const { workspaceId } = reading
  const { set, periods, names, at } = asked
  const { starts, end } = periods
  const mayHold = blockCondition(search.filters, { since: starts[0]!, until: end }, search.facts)!
  const muted = await selectMuted(reading, search, asked)
  const { blocks, rest } = figuredBlocks(workspaceId, { asked: set, mayHold, periods })
  const looked = sql.join(names.map((name) => sql`${FIGURES[name]} as ${sql.ref(name)}`))
  return sql<Row>`
    with block as materialized (${blocks})
    select 1 as weight, block.asked, block.slot, ${sql.join(names.map(ofBlock))}
      from block join mention_block_figures f on f.workspace_id = ${workspaceId} and f.last_id = block.last_id
      where block.known
    union all select 1, null, null, ${looked}
      from (select after_id, last_id from block where not known union all ${rest}) s
      cross join lateral (select m.* from mention m ${keywordJoin(search)}
        where ${searchCondition(workspaceId, search, at)} and ${publishedIn(periods)}
          and m.id > s.after_id and m.id <= s.last_id offset 0) m
    ${muted === null ? sql`` : sql`union all select -1, null, null, ${looked} from (${muted}) m`}`
}

function ofBlock(name: FigureName): Statement<unknown> {
  return name === 'published'
    ? sql`case when block.slot is null then f.published end as published`
    : sql.ref(`f.${name}`)
}

/** The mentions of muted people in blocks whose figures hold. */
async function selectMuted(
  reading: Reading,
  search: ResolvedSearch,
  { periods, at }: Asked,
): Promise<Statement<unknown> | null> {
  const { workspaceId } = reading
  const hidden = search.hidden && (await readMuted(reading))
  if (hidden === null) return null
  // Without the limits the planner would go through all that was published in the span, or through the blocks of each.
  return sql`
    select m.* from (
      select m.*, ${blockOf(sql`${workspaceId}::uuid`, sql`m.id`)} as block_id from (
        select m.* from mention m ${keywordJoin(search)} where ${foundCondition(workspaceId, search)}
          and ${byAccounts(workspaceId, hidden)} and (${isAsleep(at)}) is not true offset 0) m
      where ${publishedIn(periods)} offset 0) m
    where m.block_id in (select last_id from block where known)`
}

function publishedIn({ starts, end }: Periods): Statement<unknown> {
  return sql`m.published_at >= ${starts[0]!} and m.published_at < ${end}`
}

function portionOf(row: Row, names: readonly FigureName[]): Portion {
  const figures = Object.fromEntries(
    names.flatMap((name) => {
      const bytes = row[name]
      return bytes == null ? [] : [[name, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)]]
    }),
  )
  return { weight: row.weight, asked: row.asked, slot: row.slot, size: row.marks!.byteLength, figures }
}
