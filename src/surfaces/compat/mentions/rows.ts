import { z } from 'zod'
import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import type { Mention } from '../../../queries/mentions/mention-shape.ts'
import type { CompatContext } from '../define.ts'
import { type MentionRow, numberedIn, rowOf, uuidOfSourceId } from './row.ts'

type Context = CompatContext<'read'> | CompatContext<'write'>

/** Rows with their numbers, for a page at once. */
export async function rowsOf(
  { numbers }: Context,
  mentions: readonly Mention[],
  withMetrics: boolean,
): Promise<MentionRow[]> {
  const numberOf = await numbers.of(numberedIn(mentions))
  return mentions.map((mention) => rowOf(mention, { numberOf, withMetrics }))
}

/** The lasting id, or the number. */
export const sourceIdIn = z.string().min(1).max(60).meta({ description: '`sourceId` of a mention, or its `id`.' })

export async function mentionIdOf({ numbers }: Context, sourceId: string): Promise<Uuid | Refusal<'not_found'>> {
  const number = /^\d{1,15}$/.test(sourceId) ? Number(sourceId) : null
  const id = number === null ? uuidOfSourceId(sourceId) : (await numbers.find('mention', [number])).get(number)
  return id ?? NO_MENTION
}

export const NO_MENTION = refuse('not_found', 'This workspace has no mention with this id.')
