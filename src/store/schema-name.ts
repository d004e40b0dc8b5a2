import { type Reader, sql } from './database.ts'

/** The newest migration of a database. */
export async function schemaName(reader: Reader): Promise<string> {
  const [row] = await reader.query<{ schema: string }>(sql`select max(name) as schema from kysely_migration`)
  return row!.schema
}
