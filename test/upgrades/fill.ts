import type pg from 'pg'
import { tablesOf, withoutTriggers } from './dump.ts'

/** Values of columns where the type and the checks of the table do not tell one. */
const VALUES: Readonly<Record<string, Record<string, string>>> = {
  billing_profile: { auto_threshold_cents: '1000', auto_amount_cents: '5000' },
  kind_change: { from_kind: "'brand'", to_kind: "'competitor'" },
  rejected_post: { url: "'https://post.example/1'" },
}

interface Column {
  name: string
  type: string
  needed: boolean
}

/**
 * A row in each table that is still empty. Such tables hold what passes, as a lease or a code, and no page of the
 * interface shows it; triggers are off.
 */
export async function fillEmptyTables(client: pg.ClientBase, workspaceId: string): Promise<string[]> {
  await client.query('begin')
  const filled: string[] = []
  for (const table of await tablesOf(client)) {
    const { rows } = await client.query(`select 1 from "${table}" limit 1`)
    if (rows.length > 0) continue
    await withoutTriggers(client, table, () => insertOne(client, table, workspaceId))
    filled.push(table)
  }
  await client.query('commit')
  return filled
}

async function insertOne(client: pg.ClientBase, table: string, workspaceId: string): Promise<void> {
  const { rows: columns } = await client.query<Column>(
    `select attname as name, format_type(atttypid, atttypmod) as type, not atthasdef and attnotnull as needed
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       and attidentity = ''`,
    [table],
  )
  const words = new Map([...(await wordsOf(client, table)), ...(await referencesOf(client, table))])
  const given = columns.flatMap(({ name, type, needed }) => {
    const value = VALUES[table]?.[name]
    if (value !== undefined) return [{ name, value }]
    if (name === 'workspace_id') return [{ name, value: `'${workspaceId}'` }]
    return needed ? [{ name, value: words.get(name) ?? sample(type) }] : []
  })
  const names = given.map(({ name }) => `"${name}"`).join(', ')
  await client.query(`insert into "${table}" (${names}) values (${given.map(({ value }) => value).join(', ')})`)
}

/** A word that the checks of a table allow, by column. */
async function wordsOf(client: pg.ClientBase, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  )
  return new Map(
    rows.flatMap(({ text }) => {
      const [, column, word] = /\(\(?\(?(\w+) = (?:ANY \(\(?ARRAY\[)?('[^']*')/.exec(text) ?? []
      return column === undefined || word === undefined ? [] : [[column, word] as const]
    }),
  )
}

/** What another table has, for columns that point there. */
async function referencesOf(client: pg.ClientBase, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; to: string; column: string }>(
    `select own.attname as name, c.confrelid::regclass::text as "to", other.attname as column
     from pg_constraint c cross join lateral unnest(c.conkey, c.confkey) pair (own, other)
     join pg_attribute own on own.attrelid = c.conrelid and own.attnum = pair.own
     join pg_attribute other on other.attrelid = c.confrelid and other.attnum = pair.other
     where c.conrelid = $1::regclass and c.contype = 'f' and c.conparentid = 0 and other.attname <> 'workspace_id'`,
    [table],
  )
  return new Map(rows.map(({ name, to, column }) => [name, `(select "${column}" from ${to} limit 1)`]))
}

function sample(type: string): string {
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type.endsWith('[]')) return `'{}'`
  const bits = /^bit\((\d+)\)$/.exec(type)?.[1]
  if (bits !== undefined) return `repeat('0', ${bits})::${type}`
  if (type === 'bytea') return `'\\x${'00'.repeat(32)}'`
  if (type.startsWith('timestamp') || type === 'date') return 'now()'
  if (type === 'boolean') return 'false'
  if (type.startsWith('json')) return `'{}'`
  if (type === 'text' || type.startsWith('char')) return `'text'`
  return '1'
}
