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
  return (await readLines(reader, sql`k.id = any(${ids}::uuid[])`, sql``)).keywords
}

/** A portion of all keywords of the installation that are to be looked for, in the order of their ids. */
export interface WatchedPortion {
  keywords: WatchedKeyword[]
  /** Where the next portion begins; null when this was the last. */
  last: Uuid | null
}

export async function readWatchedAfter(reader: Reader, after: Uuid | null, limit: number): Promise<WatchedPortion> {
  const { keywords } = await readLines(reader, after === null ? sql`true` : sql`k.id > ${after}`, sql`order by k.id limit ${limit}`)
  return { keywords, last: keywords.length < limit ? null : keywords.at(-1)!.id }
}

/**
 * A million keywords are read at every start. Taking rows apart would cost the driver several times what matching them
 * costs, so the server joins each portion into one text: a line a keyword, the two ids in their fixed width, then fields
 * that hold no tab (terms have none, and JSON escapes it). Rules stand there only when there are any.
 */
async function readLines(reader: Reader, condition: Statement<unknown>, bounds: Statement<unknown>): Promise<{ keywords: WatchedKeyword[] }> {
  const [row] = await reader.query<{ lines: string | null }>(sql`
    select string_agg(workspace_id || id::text || chr(9) || term || chr(9) || case_sensitive || chr(9) || coalesce(array_to_string(platforms, ','), '*') || chr(9) || capped || chr(9) || rules, chr(10)
      order by id) as lines
    from (
      select k.workspace_id, k.id, k.term, case when k.case_sensitive then 'c' else '' end as case_sensitive, k.platforms,
        case when k.paused_for_cap then (select c.month::text from keyword_counter c where c.workspace_id = k.workspace_id and c.keyword_id = k.id) else '' end as capped,
        case when k.required_terms = '{}' and k.excluded_terms = '{}' and k.excluded_author_keys = '{}' then ''
          else json_build_array(k.required_terms, k.required_mode, k.excluded_terms, k.excluded_author_keys)::text end as rules
      from keyword k where not k.muted and ${condition} ${bounds}) portion`)
  return { keywords: row?.lines ? row.lines.split('\n').map(fromLine) : [] }
}

const UUID_LENGTH = 36
const NO_RULES: [string[], 'any' | 'all', string[], string[]] = [[], 'any', [], []]

function fromLine(line: string): WatchedKeyword {
  const [term = '', caseSensitive, platforms = '', capped, rules] = line.slice(2 * UUID_LENGTH + 1).split('\t')
  const [requiredTerms, requiredMode, excludedTerms, excludedAuthorKeys] = rules ? (JSON.parse(rules) as typeof NO_RULES) : NO_RULES
  return {
    workspaceId: ownCopy(line, 0),
    id: ownCopy(line, UUID_LENGTH),
    term,
    platforms: platforms === '*' ? null : (platforms.split(',').filter(Boolean) as SearchPlatform[]),
    matching: { requiredTerms, requiredMode, excludedTerms, caseSensitive: caseSensitive === 'c' },
    excludedAuthorKeys,
    cappedMonth: capped || null,
  }
}

const COPY = Buffer.alloc(UUID_LENGTH)

/** A slice of a string keeps the whole string in memory, and ids are kept as long as the service runs. */
function ownCopy(line: string, from: number): Uuid {
  COPY.write(line.slice(from, from + UUID_LENGTH), 'latin1')
  return COPY.toString('latin1') as Uuid
}
