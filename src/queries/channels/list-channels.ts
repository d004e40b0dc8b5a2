import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { type ChannelView, selectChannels } from './channel-shape.ts'

/** Oldest first. */
export function listChannels(reading: QueryContext): Promise<ChannelView[]> {
  return selectChannels(reading, sql`true`)
}
