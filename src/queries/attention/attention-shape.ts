import { eventLine } from '../../domain/attention/event-line.ts'
import {
  type AttentionKind,
  type AttentionStatus,
  attentionStatusOf,
  type SubjectType,
  subjectTypeOf,
} from '../../domain/attention/kinds.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

export interface AttentionItem {
  id: Id<'att'>
  kind: AttentionKind
  status: AttentionStatus
  subject: { type: SubjectType; id: Id<'kw' | 'dest' | 'org'> }
  title: string
  openedAt: string
  /** When the condition ended, also for a dismissed item; null while it lasts. */
  resolvedAt: string | null
  dismissedAt: string | null
  /** The event's data. */
  data: Record<string, unknown>
}

export interface AttentionRow {
  id: Uuid
  kind: AttentionKind
  subject_id: Uuid
  data: Record<string, unknown>
  opened_at: Date
  resolved_at: Date | null
  dismissed_at: Date | null
}

export const ATTENTION_COLUMNS = sql`id, kind, subject_id, data, opened_at, resolved_at, dismissed_at`

const SUBJECT_PREFIXES = { keyword: 'kw', channel: 'dest', workspace: 'org' } as const satisfies Record<
  SubjectType,
  string
>

export function attentionFromRow(row: AttentionRow): AttentionItem {
  const type = subjectTypeOf(row.kind)
  return {
    id: toId('att', row.id),
    kind: row.kind,
    status: attentionStatusOf({ resolvedAt: row.resolved_at, dismissedAt: row.dismissed_at }),
    subject: { type, id: toId(SUBJECT_PREFIXES[type], row.subject_id) },
    title: eventLine(row.kind, row.data).text,
    openedAt: row.opened_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    dismissedAt: row.dismissed_at?.toISOString() ?? null,
    data: row.data,
  }
}
