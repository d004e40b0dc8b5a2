import { sql } from '../src/store/database.ts'
import type { World } from './world.ts'

/**
 * A digest of every row that belongs to a workspace, by table. That a key was used, that somebody follows, and that an
 * export began are the only traces that reading leaves; entries of exports are looked at apart. `but` names tables to leave
 * out.
 */
export async function everything(
  world: Pick<World, 'db'>,
  but: readonly string[] = [],
): Promise<Record<string, string | null>> {
  const tables = await world.db.query<{ name: string }>(sql`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema,
      table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (c.column_name = 'workspace_id'
       or (c.table_name = 'workspace' and c.column_name = 'id'))
       and c.table_name !~ '^(mention_[0-9]+|workspace_follower|audit_entry)$' and c.table_name <> all(${but}::text[])
     order by 1`)
  const entries: [string, string | null][] = []
  for (const { name } of tables) {
    const [row] = await world.db.query<{ digest: string | null }>(
      sql`select md5(string_agg(row::text, E'\n' order by row::text)) as digest
          from (select to_jsonb(t) - 'last_used_at' as row from ${sql.table(name)} t) rows`,
    )
    entries.push([name, row!.digest])
  }
  return Object.fromEntries(entries)
}
