import type { MentionFilter, WordsOf } from '../../domain/filter/fields.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { sql } from '../../store/database.ts'
import { type Beginning, beginningOf, beginsInRow, type FilterFacts } from '../../store/filter/filter-sql.ts'
import { readWordsBeginning } from '../../store/filter/search-words.ts'
import { readTogether } from '../read-together.ts'
import type { Reading } from '../reading.ts'

/** Of more words the index is asked no more: whoever means a word can write more of it. */
export const WORDS_BEGINNING_MAX = 2000
/** How many of the newest mentions tell whether a beginning is frequent, and how many of them have to have it. */
const SAMPLE = 1000
const OFTEN = 20

/** Reads what is known of every beginning of a word that the filters ask for; one of too many words is refused. */
export async function readBeginnings(
  reading: Pick<Reading, 'db' | 'workspaceId'>,
  filters: readonly MentionFilter[],
  wordsOf: WordsOf,
): Promise<FilterFacts['beginning'] | Refusal<'validation_error'>> {
  const wanted = [...new Set(filters.flatMap((filter) => beginningsIn(filter, wordsOf)))]
  const read = await readTogether(
    reading.db,
    wanted.map((word) => () => readBeginning(reading, word)),
  )
  const known = new Map<string, Beginning>()
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

/** The beginnings of words that a filter asks for. */
export function beginningsIn({ anyOf = [], ...conditions }: MentionFilter, wordsOf: WordsOf): string[] {
  return [conditions, ...anyOf]
    .flatMap(({ q }) => (q === undefined ? [] : wordsOf(String(q)).filter(({ begins }) => begins)))
    .map(({ word }) => word)
}

async function readBeginning(
  { db, workspaceId }: Pick<Reading, 'db' | 'workspaceId'>,
  word: string,
): Promise<Beginning | Refusal<'validation_error'>> {
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
