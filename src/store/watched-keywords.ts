import type { Matching } from '../domain/keyword/keyword.ts'
import type { SearchPlatform } from '../domain/post/platform.ts'
import type { Uuid } from '../kernel/ids.ts'
import { type Reader, type Statement, sql } from './database.ts'

/** What the matcher needs of a keyword that is not muted. */
export interface WatchedKeyword {
  workspaceId: Uuid
  id: Uuid
  term: string
  platforms: SearchPlatform[] | null
  matching: Omit<Matching, 'excludedAuthors'>
  excludedAuthorKeys: string[]
  /** The calendar month (its first day) for which the keyword has reached its limit, or null. */
  cappedMonth: string | null
}

/** Keywords with rules of their own come in smaller portions than plain ones, because rules can be long. */
export const WATCHED_KINDS = ['plain', 'ruled'] as const
export type WatchedKind = (typeof WATCHED_KINDS)[number]
/** The rules of one keyword fit a request, so this many of them stay far below the longest text that JavaScript can hold. */
const PORTIONS: Readonly<Record<WatchedKind, number>> = { plain: 10_000, ruled: 500 }

/** The keywords of these ids that are to be looked for: muted and removed ones are left out. */
export async function readWatched(reader: Reader, ids: readonly Uuid[]): Promise<WatchedKeyword[]> {
  const keywords: WatchedKeyword[] = []
  for (let from = 0; from < ids.length; from += PORTIONS.ruled) {
    keywords.push(...(await readLines(reader, sql`k.id = any(${ids.slice(from, from + PORTIONS.ruled)}::uuid[])`, PORTIONS.ruled)))
  }
  return keywords
}

/** A portion of all keywords of the installation that are to be looked for, in the order of their ids. */
export interface WatchedPortion {
  keywords: WatchedKeyword[]
  /** Behind what the next portion begins; null when this was the last. */
  last: Uuid | null
}

export async function readWatchedAfter(reader: Reader, kind: WatchedKind, after: Uuid | null, limit = PORTIONS[kind]): Promise<WatchedPortion> {
  const ofKind = kind === 'ruled' ? RULED : sql`not ${RULED}`
  const keywords = await readLines(reader, after === null ? ofKind : sql`${ofKind} and k.id > ${after}`, limit)
  return { keywords, last: keywords.length < limit ? null : keywords.at(-1)!.id }
}

/** The same words as in the index `keyword_ruled`, so that the few keywords with rules are found without the others. */
const RULED = sql`(k.required_terms <> '{}' or k.excluded_terms <> '{}' or k.excluded_author_keys <> '{}')`

/**
 * A million keywords are read at every start. Taking rows apart would cost the driver several times what matching them
 * costs, so the server joins each portion into one text: a line a keyword, the two ids in their fixed width, then fields
 * that hold no tab (terms have none, and JSON escapes it). Rules stand there only when there are any.
 */
async function readLines(reader: Reader, condition: Statement<unknown>, limit: number): Promise<WatchedKeyword[]> {
  const [row] = await reader.query<{ lines: string | null }>(sql`
    select string_agg(line, chr(10) order by id) as lines from (
      select k.id, k.workspace_id || k.id::text || chr(9) || k.term || chr(9) || case when k.case_sensitive then 'c' else '' end || chr(9) ||
        coalesce(array_to_string(k.platforms, ','), '*') || chr(9) ||
        case when k.paused_for_cap then (select c.month::text from keyword_counter c where c.workspace_id = k.workspace_id and c.keyword_id = k.id) else '' end || chr(9) ||
        case when ${RULED} then json_build_array(k.required_terms, k.required_mode, k.excluded_terms, k.excluded_author_keys)::text else '' end as line
      from keyword k where not k.muted and ${condition} order by k.id limit ${limit}) portion`)
  return row?.lines ? row.lines.split('\n').map(fromLine) : []
}

const UUID_LENGTH = 36
const NO_AUTHORS: string[] = []
/** Most keywords have no rules; they share what says so. */
const PLAIN: WatchedKeyword['matching'] = { requiredTerms: [], requiredMode: 'any', excludedTerms: [], caseSensitive: false }

function fromLine(line: string): WatchedKeyword {
  const [term = '', caseSensitive, platforms = '', capped, rules] = line.slice(2 * UUID_LENGTH + 1).split('\t')
  const keyword: WatchedKeyword = {
    workspaceId: line.slice(0, UUID_LENGTH) as Uuid,
    id: ownCopy(line, UUID_LENGTH),
    term,
    platforms: platforms === '*' ? null : (platforms.split(',').filter(Boolean) as SearchPlatform[]),
    matching: PLAIN,
    excludedAuthorKeys: NO_AUTHORS,
    cappedMonth: capped || null,
  }
  if (rules || caseSensitive) addRules(keyword, rules ?? '', caseSensitive === 'c')
  return keyword
}

function addRules(keyword: WatchedKeyword, rules: string, caseSensitive: boolean): void {
  if (rules === '') {
    keyword.matching = { ...PLAIN, caseSensitive }
    return
  }
  const [requiredTerms, requiredMode, excludedTerms, excludedAuthorKeys] = JSON.parse(rules) as [string[], 'any' | 'all', string[], string[]]
  keyword.matching = { requiredTerms, requiredMode, excludedTerms, caseSensitive }
  keyword.excludedAuthorKeys = excludedAuthorKeys
}

const COPY = Buffer.alloc(UUID_LENGTH)

/** A slice of a string keeps the whole string in memory, and ids are kept as long as the service runs. */
function ownCopy(line: string, from: number): Uuid {
  COPY.write(line.slice(from, from + UUID_LENGTH), 'latin1')
  return COPY.toString('latin1') as Uuid
}
