import type { Matching } from '../../domain/keyword/keyword.ts'
import type { SearchPlatform } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql } from '../database.ts'

/** Strings are slices of a long text; copy those that are retained. */
export interface WatchedKeyword {
  workspaceId: Uuid
  id: Uuid
  term: string
  platforms: SearchPlatform[] | null
  matching: Omit<Matching, 'excludedAuthors'>
  excludedAuthorKeys: string[]
  cappedMonth: string | null
}

/** Keywords with rules come in smaller portions, because rules can be long. */
export const WATCHED_KINDS = ['plain', 'ruled'] as const
export type WatchedKind = (typeof WATCHED_KINDS)[number]
/** Far below JavaScript's longest string, since a keyword's rules fit a request. */
const PORTIONS: Readonly<Record<WatchedKind, number>> = { plain: 10_000, ruled: 500 }

export async function readWatched(reader: Reader, ids: readonly Uuid[]): Promise<WatchedKeyword[]> {
  const keywords: WatchedKeyword[] = []
  for (let from = 0; from < ids.length; from += PORTIONS.ruled) {
    keywords.push(
      ...(await readLines(reader, sql`k.id = any(${ids.slice(from, from + PORTIONS.ruled)}::uuid[])`, PORTIONS.ruled)),
    )
  }
  return keywords
}

/** Unmuted keywords in order of id. */
export interface WatchedBatch {
  keywords: WatchedKeyword[]
  last: Uuid | null
}

export async function readWatchedAfter(
  reader: Reader,
  kind: WatchedKind,
  after: Uuid | null,
  limit = PORTIONS[kind],
): Promise<WatchedBatch> {
  const ofKind = kind === 'ruled' ? RULED : sql`not ${RULED}`
  const keywords = await readLines(reader, after === null ? ofKind : sql`${ofKind} and k.id > ${after}`, limit)
  return { keywords, last: keywords.length < limit ? null : keywords.at(-1)!.id }
}

const RULED = sql`(k.required_terms <> '{}' or k.excluded_terms <> '{}' or k.excluded_author_keys <> '{}')`

/** With a checksum: the sum of the ids' last 16 bits. */
export interface WatchedTotals {
  count: number
  idSum: number
}

/** Index-only: 0.1 s for a million keywords. */
export async function readWatchedTotals(reader: Reader): Promise<WatchedTotals> {
  const [row] = await reader.query<WatchedTotals>(sql`
    select count(*) as count, coalesce(sum((get_byte(uuid_send(id), 14) << 8) | get_byte(uuid_send(id), 15)),
      0) as "idSum" from keyword where not muted`)
  return row!
}

export function idSumOf(id: Uuid): number {
  return Number.parseInt(id.slice(-4), 16)
}

export async function unwatchedOf(reader: Reader, ids: readonly Uuid[]): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(sql`
    select t.id from unnest(${ids}::uuid[]) as t (id) where not exists (select from keyword k
      where k.id = t.id and not k.muted)`)
  return rows.map(({ id }) => id)
}

/**
 * Parsing rows would cost the driver several times the cost of matching. So the server joins a portion into one text:
 * per line both ids in fixed width, the term and, where needed, further fields, none with a tab (terms have none, JSON
 * escapes it).
 */
async function readLines(reader: Reader, condition: Statement<unknown>, limit: number): Promise<WatchedKeyword[]> {
  const [row] = await reader.query<{ lines: string | null }>(sql`
    select string_agg(line, chr(10) order by id) as lines from (
      select k.id, concat(k.workspace_id, k.id, k.term, case when k.case_sensitive or k.platforms is not null
        or k.paused_for_cap or ${RULED} then
        chr(9) || case when k.case_sensitive then 'c' else '' end || chr(9) || coalesce(array_to_string(k.platforms,
          ','), '*') || chr(9) ||
        case when k.paused_for_cap then (select c.month::text from keyword_counter c
          where c.workspace_id = k.workspace_id and c.keyword_id = k.id) else '' end || chr(9) ||
        case when ${RULED} then json_build_array(k.required_terms, k.required_mode, k.excluded_terms,
          k.excluded_author_keys)::text else '' end end) as line
      from keyword k where not k.muted and ${condition} order by k.id limit ${limit}) portion`)
  return row?.lines ? row.lines.split('\n').map(fromLine) : []
}

const UUID_LENGTH = 36
const NO_AUTHORS: string[] = []
/** Shared, because most keywords have no rules. */
const PLAIN: WatchedKeyword['matching'] = {
  requiredTerms: [],
  requiredMode: 'any',
  excludedTerms: [],
  caseSensitive: false,
}

function fromLine(line: string): WatchedKeyword {
  const tab = line.indexOf('\t', 2 * UUID_LENGTH)
  const keyword: WatchedKeyword = {
    workspaceId: line.slice(0, UUID_LENGTH) as Uuid,
    id: line.slice(UUID_LENGTH, 2 * UUID_LENGTH) as Uuid,
    term: tab < 0 ? line.slice(2 * UUID_LENGTH) : line.slice(2 * UUID_LENGTH, tab),
    platforms: null,
    matching: PLAIN,
    excludedAuthorKeys: NO_AUTHORS,
    cappedMonth: null,
  }
  if (tab >= 0) addUnusual(keyword, line.slice(tab + 1).split('\t'))
  return keyword
}

function addUnusual(keyword: WatchedKeyword, [cased, platforms = '', capped, rules = '']: readonly string[]): void {
  const caseSensitive = cased === 'c'
  if (platforms !== '*') keyword.platforms = platforms.split(',').filter(Boolean) as SearchPlatform[]
  keyword.cappedMonth = capped || null
  keyword.matching = { ...PLAIN, caseSensitive }
  if (rules === '') return
  const [requiredTerms, requiredMode, excludedTerms, excludedAuthorKeys] = JSON.parse(rules) as [
    string[],
    'any' | 'all',
    string[],
    string[],
  ]
  keyword.matching = { requiredTerms, requiredMode, excludedTerms, caseSensitive }
  keyword.excludedAuthorKeys = excludedAuthorKeys
}
