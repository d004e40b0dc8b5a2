import { rmSync } from 'node:fs'
import { systemClock } from '../../src/kernel/clock.ts'
import { type Database, sql } from '../../src/store/database.ts'
import type { Ingest } from './load.ts'

const PORTION = 20_000

/**
 * Rows a second that COPY brings into a table with the columns and indexes of mentions, that over words apart unless it
 * is wanted: it reads rows of the store that the server itself wrote to a file, in one transaction for every 20,000.
 * The table is empty at first.
 */
export async function copyRate(db: Database, rows: number, { words }: { words: boolean }): Promise<number> {
  const [place] = await db.query<{ folder: string }>(sql`select current_setting('data_directory') as folder`)
  const paths: string[] = []
  await db.query(sql`drop table if exists bench_peer`)
  await db.query(sql`create table bench_peer (like mention including all)`)
  if (!words) await db.query(sql`drop index bench_peer_facets_idx`)
  try {
    for (let begin = 0; begin < rows; begin += PORTION) {
      const path = `${place!.folder}/bench-${begin}.copy`
      paths.push(path)
      await db.query(
        sql.raw(
          `copy (select * from mention_${(begin / PORTION) % 16} order by id desc offset ${begin} limit ${PORTION})
           to '${path}' (format binary)`,
        ),
      )
    }
    const beganMs = systemClock.monotonicMs()
    for (const path of paths) await db.query(sql.raw(`copy bench_peer from '${path}' (format binary)`))
    const seconds = (systemClock.monotonicMs() - beganMs) / 1000
    const [stored] = await db.query<{ count: number }>(sql`select count(*) from bench_peer`)
    return stored!.count / seconds
  } finally {
    for (const path of paths) rmSync(path, { force: true })
    await db.query(sql`drop table bench_peer`)
  }
}

/** Stores every match in a transaction of its own, as a first draft would. */
export function oneByOne(db: Database, ingest: Ingest): Ingest {
  return async (_tx, matched, options) => {
    const made: unknown[] = []
    for (const post of matched) made.push(...(await db.transaction((tx) => ingest(tx, [post], options))))
    return made
  }
}
