import { sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'
import { type ChannelView, selectChannels } from './channel-shape.ts'

/** Oldest first. */
export function listChannels(reading: Reading): Promise<ChannelView[]> {
  return selectChannels(reading, sql`true`)
}
