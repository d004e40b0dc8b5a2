import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/database-server.ts'
import { sql as run } from '../../test/database-setup.ts'
import { HOUR_MS, plus, systemClock } from '../kernel/clock.ts'
import { newUuid } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { recountKeywords } from '../queries/keywords/recount-keywords.ts'
import { openDatabase, sql } from './database.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const ID = '01900000-0000-7000-8000-00000000abcd'

test('an installation from before finds every count as a recount of its mentions says, posts that were removed long ago included', async () => {
  const place = await createEmptyDatabase()
  const db = openDatabase({ connection: place.connection, log: silentLog })
  const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
  try {
    const names = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    for (const name of names.filter((one) => one < '0020')) await run(place.connection, text(name))
    const now = systemClock.now()
    const at = (hours: number) => `'${plus(now, -hours * HOUR_MS).toISOString()}'`
    await run(
      place.connection,
      `insert into workspace (id, name, created_at, settled_through) values ('${ID}', 'Acme', now(), now())`,
    )
    await run(
      place.connection,
      `insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at) values ('${ID}', '${ID}', 'G', 'g', true, now(), now())`,
    )
    await run(
      place.connection,
      `insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode, excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted,
         created_at, judged_since) values ('${ID}', '${ID}', '${ID}', 't', 't', 'brand', '{}', 'any', '{}', '{}', '{}', false, false, ${at(2000)}, ${at(100)})`,
    )
    // Every seven hours a match, some of them scored, and long ago more of them than there are now.
    for (let hours = 0; hours < 500; hours += 7) {
      const score = hours % 3 === 0 ? 'null, null, null' : `${at(hours)}, ${hours % 2 === 0 ? 80 : 10}, 1`
      await run(
        place.connection,
        `insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets, scored_at, relevance, sentiment)
         values ('${ID}', '${newUuid(plus(now, -hours * HOUR_MS))}', '${ID}', gen_random_uuid(), ${at(hours)}, ${at(hours + 1)}, 1, false, '{}', ${score})`,
      )
    }
    await run(
      place.connection,
      `insert into usage_day (workspace_id, day, keyword_id, platform, matched, scored, billable, mention_units)
       select workspace_id, (created_at at time zone 'UTC')::date, keyword_id, platform, count(*), count(scored_at), count(scored_at), 24 * count(scored_at) from mention group by 1, 2, 3, 4`,
    )
    await run(
      place.connection,
      `insert into keyword_counter (workspace_id, keyword_id, month, mentions, relevant, month_mentions)
       select '${ID}', '${ID}', date_trunc('month', now() at time zone 'UTC')::date, 5000, 4000, coalesce(sum(matched), 0) from usage_day where day >= date_trunc('month', now() at time zone 'UTC')`,
    )
    for (const name of names.filter((one) => one >= '0020')) await run(place.connection, text(name))
    expect(await recountKeywords(db, now)).toEqual({ keywords: 1, differences: [], off: 0 })
    const [kept] = await db.query<{ mentions: number; days: number; month_units: number }>(
      sql`select c.mentions, c.month_units, (select count(*) from keyword_recent) as days from keyword_counter c`,
    )
    expect([kept!.mentions, kept!.days > 14]).toEqual([72, true])
  } finally {
    await db.close()
    await place.drop()
  }
})
