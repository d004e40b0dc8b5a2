import { randomInt } from 'node:crypto'
import { BEGINNING_MIN } from '../../domain/filter/beginnings.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

/** As many as mentions have partitions. */
export const SHELVES = 16
const KNOWN_SLOTS = 2 ** 19

export function shelfOf(workspaceId: Uuid): number {
  return Number.parseInt(workspaceId.slice(-6), 16) % SHELVES
}

export interface SaidWords {
  workspaceId: Uuid
  words: readonly string[]
}

/** Words seen in the database, as 64-bit hashes with a random seed, so that nobody can construct collisions. */
export class SearchWords {
  private readonly high = new Int32Array(KNOWN_SLOTS)
  private readonly low = new Int32Array(KNOWN_SLOTS)
  private readonly seed = randomInt(2 ** 31)
  private hashHigh = 0
  private hashLow = 0

  has(shelf: number, word: string): boolean {
    const slot = this.hash(shelf, word)
    return this.high[slot] === this.hashHigh && this.low[slot] === this.hashLow
  }

  add(shelf: number, word: string): void {
    const slot = this.hash(shelf, word)
    this.high[slot] = this.hashHigh
    this.low[slot] = this.hashLow
  }

  private hash(shelf: number, word: string): number {
    let high = this.seed ^ Math.imul(shelf + 1, 0x9e3779b1)
    let low = Math.imul(this.seed, 0x85ebca6b) + shelf
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at)
      high = Math.imul(high ^ unit, 0x01000193)
      high ^= high >>> 13
      low = Math.imul(low ^ unit, 0xc2b2ae35)
      low ^= low >>> 15
    }
    // Zero marks an empty slot.
    this.hashHigh = high | 1
    this.hashLow = low
    return (low ^ Math.imul(high, 0x27d4eb2f)) & (KNOWN_SLOTS - 1)
  }
}

/** Pass `known` once a transaction, or it learns words that a rollback removes. */
export async function keepWords(tx: Transaction, said: Iterable<SaidWords>, known: SearchWords | null): Promise<void> {
  const shelves = new Map<number, Set<string>>()
  for (const { workspaceId, words } of said) {
    const shelf = shelfOf(workspaceId)
    const asked = shelves.get(shelf) ?? new Set()
    shelves.set(shelf, asked)
    for (const word of words) if (word.length > BEGINNING_MIN && !known?.has(shelf, word)) asked.add(word)
  }
  const rows = [...shelves].flatMap(([shelf, words]) => [...words].map((word) => ({ shelf, word })))
  if (rows.length === 0) return
  const made = await tx.run<{ place: number }>(
    'keep-words',
    `with asked as (select t.shelf, t.word, t.place::int
        from unnest($1::smallint[], $2::text[]) with ordinality as t (shelf, word, place)
       left join lateral (select true as there from search_word w where w.shelf = t.shelf and w.word = t.word
         limit 1) w on true where w.there is null),
     made as (insert into search_word (shelf, word) select shelf, word from asked)
     select place from asked`,
    [columns.smallints(rows.map(({ shelf }) => shelf)), columns.texts(rows.map(({ word }) => word))],
  )
  if (known === null) return
  // A rollback may remove inserted words, so only words that were found are known.
  const fresh = new Set(made.map(({ place }) => place - 1))
  for (const [place, { shelf, word }] of rows.entries()) if (!fresh.has(place)) known.add(shelf, word)
}

export async function readWordsBeginning(
  reader: Reader,
  workspaceId: Uuid,
  beginning: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.query<{ word: string }>(sql`
    select distinct word from search_word where shelf = ${shelfOf(workspaceId)}::smallint and word > ${beginning}
      and word < ${after(beginning)} order by word limit ${limit}`)
  return rows.map(({ word }) => word)
}

/** No word contains the last code point. */
function after(beginning: string): string {
  return `${beginning}\u{10ffff}`
}
