import pg from 'pg'

/** A table, with the tables that hold its rows. */
export interface BackupTable {
  name: string
  columns: string[]
  identities: string[]
  /** Itself, or its partitions. */
  parts: { name: string; bytes: number }[]
}

interface TableRow extends BackupTable {
  references: string[]
}

/** Tables of extensions belong to their extension. Generated columns are made anew. */
const TABLES = `
  select c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_attribute a
      where a.attrelid = c.oid and a.attidentity <> '') as identities,
    case c.relkind when 'r' then json_build_array(json_build_object('name', c.relname, 'bytes', pg_table_size(c.oid)))
      else (select json_agg(json_build_object('name', p.relname, 'bytes', pg_table_size(p.oid)) order by p.oid)
        from pg_partition_tree(c.oid) t join pg_class p on p.oid = t.relid where t.isleaf) end as parts,
    (select coalesce(array_agg(distinct f.relname::text), '{}')
      from pg_constraint k join pg_class f on f.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0 and k.confrelid <> c.oid
        and f.relnamespace = c.relnamespace) as references
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
      and d.deptype = 'e')
  order by c.relname`

/** All tables of the schema, each after those that its foreign keys lead to. */
export async function readTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<TableRow>(TABLES)
  return inOrderOfKeys(rows)
}

/** Throws for a circle, which nobody could fill. */
function inOrderOfKeys(rows: readonly TableRow[]): BackupTable[] {
  const ordered: BackupTable[] = []
  const placed = new Set<string>()
  let left = [...rows]
  while (left.length > 0) {
    const ready = left.filter(({ references }) => references.every((name) => placed.has(name)))
    if (ready.length === 0) throw new Error(`foreign keys lead in a circle: ${left.map(({ name }) => name).join(', ')}`)
    for (const { references: _, ...table } of ready) {
      ordered.push(table)
      placed.add(table.name)
    }
    left = left.filter(({ name }) => !placed.has(name))
  }
  return ordered
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join(', ')
}
