import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../../store/columns.ts'
import type { Reader } from '../../store/database.ts'

import { type FoundRow, OWN_COLUMNS, readShown } from './mention-rows.ts'
import { type Mention, mentionFromRow } from './mention-shape.ts'

/**
 * Mentions of several workspaces by id, for deliveries; deleted ones are left out. Prepared, because planning took as
 * long as reading, and with `offset 0`, because free joins read all mentions of all workspaces.
 */
export async function readMentions(
  reader: Reader,
  wanted: readonly { workspaceId: Uuid; mentionId: Uuid }[],
  at: Date,
): Promise<Map<Uuid, Mention>> {
  if (wanted.length === 0) return new Map()
  const once = [...new Map(wanted.map((item) => [item.mentionId, item])).values()]
  const found = await reader.run<FoundRow>(
    'mentions-by-id',
    `select m.* from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     cross join lateral (select ${OWN_COLUMNS} from mention m where m.workspace_id = t.workspace_id
       and m.id = t.id offset 0) m`,
    [columns.uuids(once.map((item) => item.workspaceId)), columns.uuids(once.map((item) => item.mentionId))],
  )
  return new Map((await readShown(reader, found)).map((row) => [row.own.id, mentionFromRow(row, at)]))
}
