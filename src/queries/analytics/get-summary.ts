import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { sql } from '../../store/database.ts'
import { type MentionSearch, type ResolvedSearch, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'
import { readInWindows } from './figures/in-windows.ts'
import { type Figures, figuresOf, SUMS, SUMS_OF_PARTS, type SumsRow, selectedIn, shareOf } from './selected.ts'
import type { Windows } from './window.ts'

export interface Totals extends Figures {
  /** Waiting or failed. */
  unscored: number
  /** Distinct known authors. */
  people: number
}

export interface Summary {
  current: Totals
  previous: Totals | null
  /** The ten platforms with most mentions of the current window. */
  platforms: { platform: Platform; mentions: number; relevant: number; share: number }[]
}

interface Row extends SumsRow {
  current: boolean
  /** Null for all platforms. */
  platform: number | null
  unscored: number
  people: number
}

const PLATFORMS_SHOWN = 10

export async function getSummary(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
): Promise<Summary | Refusal<'not_found' | 'validation_error'>> {
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  const rows = (await rowsByFigures(reading, resolved, windows)) ?? (await rowsByMentions(reading, resolved, windows))
  const totals = (current: boolean) => totalsOf(rows.find((row) => row.current === current && row.platform === null))
  const current = totals(true)
  const platforms = rows
    .flatMap(({ current, platform, mentions, relevant }) =>
      current && platform !== null ? [{ platform, mentions, relevant }] : [],
    )
    .sort((a, b) => b.mentions - a.mentions || a.platform - b.platform)
  return {
    current,
    previous: windows.previous && totals(false),
    platforms: platforms.slice(0, PLATFORMS_SHOWN).map(({ platform, mentions, relevant }) => ({
      platform: platformFromNumber(platform),
      mentions,
      relevant,
      share: shareOf(mentions, current.mentions) ?? 0,
    })),
  }
}

async function rowsByFigures(reading: QueryContext, search: ResolvedSearch, windows: Windows): Promise<Row[] | null> {
  const found = await readInWindows(reading, search, windows, { by: 'platform', people: true })
  if (found === null) return null
  return [
    ...found.whole.map((row) => ({ ...row, platform: null, people: found.people(row.current) })),
    ...found.parted.map((row) => ({ ...row, platform: Number(row.value), people: found.people(row.current) })),
  ]
}

async function rowsByMentions(reading: QueryContext, search: ResolvedSearch, windows: Windows): Promise<Row[]> {
  const selected = selectedIn(reading, search, windows, { more: sql`m.account_id` })
  return await reading.db.query<Row>(sql`
    with writer as materialized (
      select current, platform, account_id, ${SUMS}, count(*) filter (where relevance is null) as unscored
      from (${selected}) selected group by current, platform, account_id),
    sums as (select current, platform, ${SUMS_OF_PARTS}, sum(unscored)::bigint as unscored
      from writer group by grouping sets ((current), (current, platform))),
    people as (
      select current, count(*) as people from (
        select distinct w.current, coalesce(a.person_id, w.account_id) from writer w
        left join account a on a.workspace_id = ${reading.workspaceId} and a.id = w.account_id
        where w.account_id is not null) person group by current)
    select s.current, s.platform, s.mentions, s.relevant, s.positive, s.neutral, s.negative, s.reach, s.engagement,
      s.unscored, coalesce(p.people, 0) as people
    from sums s left join people p on p.current = s.current`)
}

function totalsOf(row: Row | undefined): Totals {
  return { ...figuresOf(row), unscored: row?.unscored ?? 0, people: row?.people ?? 0 }
}
