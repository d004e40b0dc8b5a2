import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { QueryContext } from '../reading.ts'
import type { Mention } from './mention-shape.ts'
import { readMentions } from './read-mentions.ts'

export async function getMention(reading: QueryContext, id: Uuid): Promise<Mention | Refusal<'not_found'>> {
  const mentions = await readMentions(
    reading.db,
    [{ workspaceId: reading.workspaceId, mentionId: id }],
    reading.clock.now(),
  )
  return mentions.get(id) ?? refuse('not_found', 'This workspace has no mention with this id.')
}
