import { useQuery } from '@tanstack/react-query'
import { ALERTS_QUERY, CHANNELS_QUERY } from '../app/workspace-queries.ts'
import { words } from './words.ts'

/** Channels and rules by their names. */
export function useChoices() {
  const channels = useQuery(CHANNELS_QUERY)
  const alerts = useQuery(ALERTS_QUERY)
  const labels = new Map(channels.data?.data.map(({ id, label }) => [id, label]))
  return {
    channels: channels.data?.data ?? [],
    alerts: alerts.data?.data ?? [],
    /** The label of a channel; empty while the channels load. */
    labelOf: (id: string) => labels.get(id) ?? (channels.data === undefined ? '' : words.deletedChannel),
  }
}
