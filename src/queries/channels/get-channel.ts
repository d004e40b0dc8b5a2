import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { type ChannelView, selectChannels } from './channel-shape.ts'

/** One channel, or not_found. */
export async function getChannel(reading: QueryContext, id: Uuid): Promise<ChannelView | Refusal<'not_found'>> {
  const [channel] = await selectChannels(reading, sql`c.id = ${id}`)
  return channel ?? noSuchChannel()
}

export function noSuchChannel(): Refusal<'not_found'> {
  return refuse('not_found', 'There is no channel with this id')
}
