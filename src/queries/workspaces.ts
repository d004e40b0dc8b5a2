import type { Uuid } from '../kernel/ids.ts'
import { type Reader, sql } from '../store/database.ts'

/** Workspaces with this id or exactly this name, oldest first. */
export function findWorkspaces(reader: Reader, { id, name }: { id: Uuid | null; name: string }): Promise<{ id: Uuid; name: string }[]> {
  return reader.query(sql`select id, name from workspace where id = ${id} or name = ${name} order by id`)
}
