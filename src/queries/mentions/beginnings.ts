import type { MentionFilter, WordsOf } from '../../domain/filter/fields.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { sql } from '../../store/database.ts'
import { beginningOf, beginsInRow, type FilterFacts, type WordBeginning } from '../../store/filter/filter-sql.ts'
import { readWordsBeginning } from '../../store/filter/search-words.ts'
import { readTogether } from '../read-together.ts'
import type { QueryContext } from '../reading.ts'

/** Most words of a prefix that are searched; a longer prefix has fewer. */
export const WORDS_BEGINNING_MAX = 2000
/** A prefix is frequent when `OFTEN` of the newest `SAMPLE` mentions contain it. */
const SAMPLE = 1000
const OFTEN = 20

/** Reads the words of every prefix in the filters; refuses a prefix of too many words. */
export async function readBeginnings(
  reading: Pick<QueryContext, 'db' | 'workspaceId'>,
  filters: readonly MentionFilter[],
  wordsOf: WordsOf,
): Promise<FilterFacts['beginning'] | Refusal<'validation_error'>> {
  const wanted = [...new Set(filters.flatMap((filter) => beginningsIn(filter, wordsOf)))]
  const read = await readTogether(
    reading.db,
    wanted.map((word) => () => readBeginning(reading, word)),
  )
  const known = new Map<string, WordBeginning>()
  for (const [at, item] of read.entries()) {
    if (isRefusal(item)) return item
    known.set(wanted[at]!, item)
  }
  return (word) => {
    const beginning = known.get(word)
    if (beginning === undefined) throw new Error(`the beginning ${JSON.stringify(word)} was not read with its filter`)
    return beginning
  }
}

export function beginningsIn({ anyOf = [], ...conditions }: MentionFilter, wordsOf: WordsOf): string[] {
  return [conditions, ...anyOf]
    .flatMap(({ q }) => (q === undefined ? [] : wordsOf(String(q)).filter(({ begins }) => begins)))
    .map(({ word }) => word)
}

async function readBeginning(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  word: string,
): Promise<WordBeginning | Refusal<'validation_error'>> {
  const longer = await readWordsBeginning(db, workspaceId, word, WORDS_BEGINNING_MAX + 1)
  if (longer.length > WORDS_BEGINNING_MAX)
    return refuseField(
      'q',
      `more than ${WORDS_BEGINNING_MAX} words begin with ${word}; write more of the word before the asterisk`,
    )
  const beginning = beginningOf(workspaceId, word, longer)
  const [sample] = await db.query<{ having: number }>(sql`
    select count(*)::int as having from (select facets, common_words from mention where workspace_id = ${workspaceId}
      order by id desc limit ${SAMPLE}) m
    where ${beginsInRow(beginning)}`)
  return { ...beginning, often: sample!.having >= OFTEN }
}
