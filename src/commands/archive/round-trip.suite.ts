import { fromId, type IdPrefix, toId, type Uuid } from '../../kernel/ids.ts'
import { exportWorkspace } from '../../queries/archive/export-workspace.ts'
import type { QueryContext } from '../../queries/reading.ts'
import type { ArchiveRow } from '../../store/archive/archive-rows.ts'
import type { Services } from '../writing.ts'

export async function archiveOf(reading: QueryContext & Pick<Services, 'db'>): Promise<string[]> {
  let text = ''
  for await (const portion of exportWorkspace(exporting(reading))) text += portion
  return text.trimEnd().split('\n')
}

export function exporting<Reading extends QueryContext & Pick<Services, 'db'>>(reading: Reading) {
  return { ...reading, snapshot: reading.db.snapshot, stillAllowed: async () => true }
}

export async function* linesOf(lines: readonly string[]): AsyncIterable<string> {
  yield* lines
}

export type Rows = Record<string, ArchiveRow[]>

export function rowsOf(lines: readonly string[]): Rows {
  const rows: Rows = {}
  for (const line of lines.slice(1, -1)) {
    const { table, row } = JSON.parse(line) as { table: string; row: ArchiveRow }
    rows[table] = [...(rows[table] ?? []), row]
  }
  return rows
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PREFIXED = /^([a-z]{2,4})_[0-9a-z]{26}$/

/** Pairs of old and new ids that stand in the same places. */
export class Pairs {
  readonly differences: string[] = []
  private readonly toNew = new Map<Uuid, Uuid>()
  private readonly toOld = new Map<Uuid, Uuid>()

  /** Compares two values; ids may differ, each always in the same way. */
  compare(old: unknown, now: unknown, path: string): void {
    const [oldId, newId] = [idOf(old), idOf(now)]
    if (oldId !== null && newId !== null) this.pair(oldId, newId, path)
    else if (typeof old === 'object' && typeof now === 'object' && old !== null && now !== null)
      for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
        this.compare((old as ArchiveRow)[name], (now as ArchiveRow)[name], `${path}.${name}`)
    else if (old !== now) this.differences.push(`${path}: ${JSON.stringify(old)} became ${JSON.stringify(now)}`)
  }

  private pair(old: Uuid, now: Uuid, path: string): void {
    if ((this.toNew.get(old) ?? now) !== now || (this.toOld.get(now) ?? old) !== old)
      this.differences.push(`${path}: ${old} became ${now}, and another id elsewhere`)
    this.toNew.set(old, now)
    this.toOld.set(now, old)
  }

  renamed(id: unknown): unknown {
    return this.toNew.get(id as Uuid) ?? id
  }

  /** Whether every id of its own became another. */
  kept(): Uuid[] {
    return [...this.toNew].flatMap(([old, now]) => (old === now ? [old] : []))
  }
}

function idOf(value: unknown): Uuid | null {
  if (typeof value !== 'string') return null
  if (UUID.test(value)) return value as Uuid
  const prefix = PREFIXED.exec(value)?.[1] as IdPrefix | undefined
  const id = prefix === undefined ? null : fromId(prefix, value)
  return id !== null && toId(prefix!, id) === value ? id : null
}
