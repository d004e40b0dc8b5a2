import { useQuery } from '@tanstack/react-query'
import { listAlerts } from '../api/alerts.ts'
import { listChannels } from '../api/channels.ts'
import { words } from './words.ts'

/** Channels and rules by their names. */
export function useChoices() {
  const channels = useQuery({ queryKey: ['channels'], queryFn: ({ signal }) => listChannels(signal) })
  const alerts = useQuery({ queryKey: ['alerts'], queryFn: ({ signal }) => listAlerts(signal) })
  const labels = new Map(channels.data?.data.map(({ id, label }) => [id, label]))
  return {
    channels: channels.data?.data ?? [],
    alerts: alerts.data?.data ?? [],
    /** The label of a channel; empty while the channels load. */
    labelOf: (id: string) => labels.get(id) ?? (channels.data === undefined ? '' : words.deletedChannel),
  }
}
