import type { TriageActor, TriageChange } from '../../domain/mention/triage.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import type { WritingContext } from '../writing.ts'
import { type SkipCode, triageMentions } from './triage-mentions.ts'

export interface UpdatedMentions {
  /** Mentions now in the wanted state. */
  updated: number
  /** In the given order. */
  skipped: { id: Id<'mtn'>; code: SkipCode }[]
}

/** One transaction. Repeated ids count once. */
export async function updateMentions(
  writing: WritingContext,
  actor: TriageActor,
  ids: readonly Uuid[],
  change: TriageChange,
): Promise<UpdatedMentions | Refusal<'invalid_assignee' | 'validation_error'>> {
  const named = { ids: [...new Set(ids)] }
  const result = await writing.db.transaction((tx) => triageMentions(tx, writing, actor, named, change))
  if (isRefusal(result)) return result
  return {
    updated: result.moves.length,
    skipped: [...result.skipped].map(([id, code]) => ({ id: toId('mtn', id), code })),
  }
}
