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

/** The keywords of these ids that are to be looked for: muted and removed ones are left out. */
export async function readWatched(reader: Reader, ids: readonly Uuid[]): Promise<WatchedKeyword[]> {
  const wanted = sql`k.id = any(${ids}::uuid[])`
  const keywords: WatchedKeyword[] = []
  for (let after: Uuid | null = null; ; ) {
    const portion: WatchedPortion = await readLines(reader, after === null ? wanted : sql`${wanted} and k.id > ${after}`, ids.length + 1)
    keywords.push(...portion.keywords)
    if (portion.last === null) return keywords
    after = portion.last
  }
}

/** A portion of all keywords of the installation that are to be looked for, in the order of their ids. */
export interface WatchedPortion {
  keywords: WatchedKeyword[]
  /** Where the next portion begins; null when this was the last. */
  last: Uuid | null
}

/** At most `limit` keywords, and fewer when their rules are large; at least one when there is one. */
export async function readWatchedAfter(reader: Reader, after: Uuid | null, limit: number): Promise<WatchedPortion> {
  return await readLines(reader, after === null ? sql`true` : sql`k.id > ${after}`, limit)
}

/** Bytes of rules that one portion holds, and one more keyword's. Escaped as JSON it may be a little more than twice as much. */
const RULES_MAX_BYTES = 16 * 1024 * 1024

/**
 * A million keywords are read at every start. Taking rows apart would cost the driver several times what matching them
 * costs, so the server joins each portion into one text: a line a keyword, the two ids in their fixed width, then fields
 * that hold no tab (terms have none, and JSON escapes it). Rules stand there only when there are any.
 */
async function readLines(reader: Reader, condition: Statement<unknown>, limit: number): Promise<WatchedPortion> {
  const [row] = await reader.query<{ lines: string | null; kept: number; found: number }>(sql`
    select string_agg(workspace_id || id::text || chr(9) || term || chr(9) || case when case_sensitive then 'c' else '' end || chr(9) || coalesce(array_to_string(platforms, ','), '*') || chr(9) ||
      case when paused_for_cap then (select c.month::text from keyword_counter c where c.workspace_id = portion.workspace_id and c.keyword_id = portion.id) else '' end || chr(9) ||
      case when ruled then json_build_array(required_terms, required_mode, excluded_terms, excluded_author_keys)::text else '' end, chr(10)
      order by id) filter (where before <= ${RULES_MAX_BYTES}) as lines, count(*) filter (where before <= ${RULES_MAX_BYTES}) as kept, count(*) as found
    from (
      select k.*, coalesce(sum(case when ruled then octet_length(required_terms::text) + octet_length(excluded_terms::text) + octet_length(excluded_author_keys::text) else 0 end)
        over (order by id rows between unbounded preceding and 1 preceding), 0) as before
      from (
        select k.workspace_id, k.id, k.term, k.case_sensitive, k.platforms, k.paused_for_cap, k.required_terms, k.required_mode, k.excluded_terms, k.excluded_author_keys,
          not (k.required_terms = '{}' and k.excluded_terms = '{}' and k.excluded_author_keys = '{}') as ruled
        from keyword k where not k.muted and ${condition} order by k.id limit ${limit}) k) portion`)
  const keywords = row?.lines ? row.lines.split('\n').map(fromLine) : []
  const whole = row === undefined || (row.kept === row.found && row.found < limit)
  return { keywords, last: whole ? null : (keywords.at(-1)?.id ?? null) }
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
