import type { KeywordKind } from '../../domain/keyword/keyword.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { type MentionSearch, type ResolvedSearch, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'
import { readInWindows } from './figures/in-windows.ts'
import { type Figures, figuresOf, SUMS, type SumsRow, selectedIn, shareOf } from './selected.ts'
import type { Windows } from './window.ts'

export const VOICES = ['kind', 'keyword'] as const
export type VoiceBy = (typeof VOICES)[number]
/** The keywords with most mentions are shown. */
export const VOICES_MAX = 50

export interface Voice extends Figures {
  kind: Exclude<KeywordKind, 'topic'>
  /** Null without a division by keyword. */
  keyword: { id: Id<'kw'>; term: string } | null
  /** Of all brand and competitor mentions, 0 to 1; null without any. */
  share: number | null
  /** Null without a comparison or without previous mentions. */
  previousShare: number | null
}

export interface ShareOfVoice {
  data: Voice[]
  /** Of brands and competitors. */
  mentions: number
  previousMentions: number | null
}

interface Row extends SumsRow {
  current: boolean
  kind: Exclude<KeywordKind, 'topic'>
  keyword_id: Uuid | null
  term: string | null
}

/** Mentions of brands against competitors. Topics are left out. */
export async function getShareOfVoice(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
  by: VoiceBy,
): Promise<ShareOfVoice | Refusal<'not_found' | 'validation_error'>> {
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  const rows =
    (await rowsByFigures(reading, resolved, windows, by)) ?? (await rowsByMentions(reading, resolved, windows, by))
  const sum = (current: boolean) => rows.reduce((total, row) => total + (row.current === current ? row.mentions : 0), 0)
  const [mentions, previousMentions] = [sum(true), sum(false)]
  const now = rows.filter((row) => row.current)
  const shown = (by === 'kind' ? bothKinds(now) : now).sort(
    (a, b) => b.mentions - a.mentions || (`${a.kind}${a.keyword_id}` < `${b.kind}${b.keyword_id}` ? -1 : 1),
  )
  return {
    data: shown.slice(0, VOICES_MAX).map((row) => {
      const before = rows.find((item) => !item.current && item.kind === row.kind && item.keyword_id === row.keyword_id)
      return {
        kind: row.kind,
        keyword: row.keyword_id === null ? null : { id: toId('kw', row.keyword_id), term: row.term! },
        ...figuresOf(row),
        share: shareOf(row.mentions, mentions),
        previousShare: windows.previous && shareOf(before?.mentions ?? 0, previousMentions),
      }
    }),
    mentions,
    previousMentions: windows.previous && previousMentions,
  }
}

async function rowsByFigures(
  reading: QueryContext,
  search: ResolvedSearch,
  windows: Windows,
  by: VoiceBy,
): Promise<Row[] | null> {
  const found = await readInWindows(reading, search, windows, { by: 'keyword' })
  if (found === null) return null
  const facts = new Map([...found.keywords.values()].map((keyword) => [keyword.id, keyword]))
  const byKeyword = found.parted.flatMap(({ value, ...row }): Row[] => {
    const { id, kind, term } = facts.get(value as Uuid)!
    return kind === 'topic' ? [] : [{ ...row, kind, keyword_id: id, term }]
  })
  return by === 'keyword' ? byKeyword : summedByKind(byKeyword)
}

function summedByKind(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const name = `${row.current} ${row.kind}`
    const sum = sums.get(name) ?? { ...nothing(row.current), kind: row.kind }
    for (const figure of SUMMED) sum[figure] += row[figure]
    sums.set(name, sum)
  }
  return [...sums.values()]
}

const SUMMED = ['mentions', 'relevant', 'positive', 'neutral', 'negative', 'reach', 'engagement'] as const

async function rowsByMentions(
  reading: QueryContext,
  search: ResolvedSearch,
  windows: Windows,
  by: VoiceBy,
): Promise<Row[]> {
  const keyword = by === 'keyword' ? sql`k.id as keyword_id, k.term` : sql`null::uuid as keyword_id, null::text as term`
  const selected = selectedIn(reading, search, windows, {
    more: sql`k.kind, ${keyword}`,
    asksKeyword: true,
    also: sql`k.kind in ('brand', 'competitor')`,
  })
  return await reading.db.query<Row>(
    sql`select current, kind, keyword_id, term, ${SUMS} from (${selected}) selected
        group by current, kind, keyword_id, term`,
  )
}

/** Adds a row for a kind without mentions. */
function bothKinds(rows: readonly Row[]): Row[] {
  return KINDS.map((kind) => rows.find((row) => row.kind === kind) ?? { ...nothing(true), kind })
}

const KINDS = ['brand', 'competitor'] as const

function nothing(current: boolean): Omit<Row, 'kind'> {
  return {
    current,
    keyword_id: null,
    term: null,
    mentions: 0,
    relevant: 0,
    positive: 0,
    neutral: 0,
    negative: 0,
    reach: 0,
    engagement: 0,
  }
}
