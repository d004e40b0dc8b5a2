import type { TriageActor, TriageChange } from '../../domain/mention/triage.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { getMention } from '../../queries/mentions/get-mention.ts'
import type { Mention } from '../../queries/mentions/mention-shape.ts'
import type { WritingContext } from '../writing.ts'
import { type SkipCode, triageMentions } from './triage-mentions.ts'

/** Never charged. */
export async function updateMention(
  writing: WritingContext,
  actor: TriageActor,
  id: Uuid,
  change: TriageChange,
): Promise<Mention | Refusal<SkipCode | 'invalid_assignee' | 'validation_error'>> {
  return await writing.db.transaction(async (tx) => {
    const result = await triageMentions(tx, writing, actor, { ids: [id] }, change)
    if (isRefusal(result)) return result
    const skipped = result.skipped.get(id)
    return skipped ? refuse(skipped, MESSAGES[skipped]) : await getMention({ ...writing, db: tx }, id)
  })
}

const MESSAGES: Readonly<Record<SkipCode, string>> = {
  not_found: 'This workspace has no mention with this id.',
  classification_pending: 'The mention is not scored yet. Try again later.',
}
