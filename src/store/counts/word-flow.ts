import type { TermFlow } from '../../domain/keyword/hints.ts'
import { DAY_MS, dayOf, HOUR_MS, plus } from '../../kernel/clock.ts'
import { type Database, type Reader, sql } from '../database.ts'

export interface CountedWords {
  read: number
  sampled: number
  from: Date
  to: Date
  words: { words: string; posts: number }[]
  companions: { word: string; companion: string; posts: number }[]
}

const PORTION = 5000
/** This week and the one before, so that a Monday has data. */
const WEEKS = 2

export async function addWords(
  db: Database,
  { read, sampled, from, to, words, companions }: CountedWords,
): Promise<void> {
  const week = weekOf(to)
  await db.transaction(async (tx) => {
    for (let at = 0; at < words.length; at += PORTION) {
      const rows = words.slice(at, at + PORTION)
      await tx.query(sql`
        insert into word_count as c (week, words, posts)
        select ${week}::date, words, posts from unnest(${rows.map((row) => row.words)}::text[],
          ${rows.map((row) => row.posts)}::bigint[]) as t (words, posts) order by words
        on conflict (words, week) do update set posts = c.posts + excluded.posts`)
    }
    for (let at = 0; at < companions.length; at += PORTION) {
      const rows = companions.slice(at, at + PORTION)
      await tx.query(sql`
        insert into word_companion as c (week, word, companion, posts)
        select ${week}::date, word, companion, posts
        from unnest(${rows.map((row) => row.word)}::text[], ${rows.map((row) => row.companion)}::text[],
          ${rows.map((row) => row.posts)}::bigint[]) as t (word, companion, posts)
        order by word, companion
        on conflict (word, week, companion) do update set posts = c.posts + excluded.posts`)
    }
    await tx.query(sql`
      insert into word_week as w (week, posts_read, posts_sampled, began_at, ended_at)
        values (${week}::date, ${read}, ${sampled}, ${from}, ${to})
      on conflict (week) do update set posts_read = w.posts_read + excluded.posts_read, posts_sampled = w.posts_sampled
        + excluded.posts_sampled,
        began_at = least(w.began_at, excluded.began_at), ended_at = greatest(w.ended_at, excluded.ended_at)`)
  })
}

/** `words` is a word or two adjacent words. */
export async function readTermFlow(reader: Reader, words: string, at: Date): Promise<TermFlow> {
  // Weeks by value, so that each is one lookup in an index that begins with the words.
  const weeks = sql`any(${Array.from({ length: WEEKS }, (_, back) => weekOf(plus(at, -7 * back * DAY_MS)))}::date[])`
  const [totals] = await reader.query<{
    sampled: number
    read: number
    began_at: Date | null
    ended_at: Date | null
    holding: number
  }>(sql`
    select coalesce(sum(posts_sampled), 0)::float8 as sampled, coalesce(sum(posts_read), 0)::float8 as read,
      min(began_at) as began_at, max(ended_at) as ended_at,
      coalesce((select sum(posts) from word_count where words = ${words} and week = ${weeks}), 0)::float8 as holding
    from word_week where week = ${weeks}`)
  const { sampled, read, began_at: from, ended_at: to, holding } = totals!
  const companions = await reader.query<TermFlow['companions'][number]>(sql`
    select c.companion as word, c.together::float8 as together, coalesce((select sum(posts) from word_count o
      where o.words = c.companion and o.week = ${weeks}), 0)::float8 as overall
    from (select companion, sum(posts) as together from word_companion where word = ${words} and week = ${weeks}
      group by companion order by 2 desc limit 100) c`)
  const spanMs = from && to ? to.getTime() - from.getTime() : 0
  return {
    sampled,
    holding: Math.min(holding, sampled),
    postsPerDay: spanMs < HOUR_MS ? null : (read * DAY_MS) / spanMs,
    companions,
  }
}

/** Rarer words are dropped once the sample is large. */
const RARE_IN_ONE_OF = 20_000
const LARGE_SAMPLE = 100_000

export async function pruneWords(db: Database, at: Date): Promise<void> {
  const kept = weekOf(plus(at, -7 * (WEEKS - 1) * DAY_MS))
  // Joins the weeks that are over, so that nothing is scanned while there is none.
  await db.query(sql`delete from word_companion c using word_week w where w.week = c.week and w.week < ${kept}::date`)
  await db.query(sql`
    delete from word_count c using word_week w
    where w.week = c.week and (w.week < ${kept}::date or (w.posts_sampled >= ${LARGE_SAMPLE}
      and c.posts < w.posts_sampled / ${RARE_IN_ONE_OF}::int))`)
  await db.query(sql`delete from word_week where week < ${kept}::date`)
}

function weekOf(at: Date): string {
  return dayOf(plus(at, -((at.getUTCDay() + 6) % 7) * DAY_MS))
}
