import type { Actor, TriageChange } from '../../domain/mention/triage.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import type { Writing } from '../writing.ts'
import { type SkipCode, triageMentions } from './triage-mentions.ts'

/** What became of a change to many mentions. */
export interface UpdatedMentions {
  /** How many are now as they were to be. */
  updated: number
  /** The others, in the order in which they were named. */
  skipped: { id: Id<'mtn'>; code: SkipCode }[]
}

/** Makes the same change to many mentions at once, in one transaction. An id that is named twice counts once. */
export async function updateMentions(
  writing: Writing,
  actor: Actor,
  ids: readonly Uuid[],
  change: TriageChange,
): Promise<UpdatedMentions | Refusal<'invalid_assignee' | 'validation_error'>> {
  const result = await writing.db.transaction((tx) => triageMentions(tx, writing, actor, [...new Set(ids)], change))
  if (isRefusal(result)) return result
  return {
    updated: result.done.length,
    skipped: [...result.skipped].map(([id, code]) => ({ id: toId('mtn', id), code })),
  }
}
