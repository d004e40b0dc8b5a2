import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Channel,
  type ChannelChange,
  deleteChannel,
  getChannel,
  testChannel,
  updateChannel,
} from '../api/channels.ts'
import { offerUndo } from '../app/undo.ts'
import { useLive } from '../app/use-live.ts'
import { CHANNELS_QUERY } from '../app/workspace-queries.ts'
import { showToast } from '../kit/toast.tsx'
import { words } from './words.ts'

export function useChannels() {
  const channels = useQuery(CHANNELS_QUERY)
  useLive(['delivery.changed'], () => {
    // Counts of a week need no second-by-second reading.
    if (Date.now() - channels.dataUpdatedAt > STATS_MS) void channels.refetch()
  })
  return channels
}

const STATS_MS = 10_000

/** A channel of the list; one that is not in it yet is asked for. */
export function useChannel(id: string, waits: boolean) {
  return useQuery({
    queryKey: ['channels', id],
    queryFn: ({ signal }) => getChannel(id, signal),
    refetchInterval: waits ? WAIT_MS : false,
  })
}

/** How often a page asks whether somebody connected a chat or confirmed an address, of which no stream tells. */
const WAIT_MS = 4000

function keepChannel(client: QueryClient, channel: Channel): void {
  client.setQueryData(['channels', channel.id], channel)
  void client.invalidateQueries({ queryKey: ['channels'], exact: true })
}

interface Change {
  change: ChannelChange
  /** What was done, such as "Support desk is paused". */
  text: string
}

/** Changes a channel, and offers to bring the former values back. */
export function useChannelChange(channel: Channel) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ change }: Change) => updateChannel(channel.id, change),
    onSuccess: (changed, { change, text }) => {
      keepChannel(client, changed)
      const former = formerOf(channel, change)
      offerUndo({ text, revert: async () => keepChannel(client, await updateChannel(channel.id, former)) })
    },
  })
}

/** The values that a change replaced. */
export function formerOf(channel: Channel, change: ChannelChange): ChannelChange {
  const { label, enabled, config } = channel
  const former: Record<string, unknown> = { label, enabled, ...config }
  if ('recipients' in config) former['emails'] = config.recipients.map(({ email }) => email)
  return Object.fromEntries(Object.keys(change).map((name) => [name, former[name]]))
}

export function usePause(channel: Channel) {
  const change = useChannelChange(channel)
  const { enabled, label } = channel
  const toggle = () =>
    change.mutate(
      { change: { enabled: !enabled }, text: enabled ? words.paused(label) : words.resumed(label) },
      { onError: (error) => showToast({ text: error.message, tone: 'negative' }) },
    )
  return { toggle, busy: change.isPending, label: enabled ? words.pause : words.resume }
}

/** Sends the test event and says what came of it. */
export function useTest({ id, label }: Channel) {
  return useMutation({
    mutationFn: () => testChannel(id),
    onSuccess: ({ outcomes }) => {
      const failed = outcomes.find(({ ok }) => !ok)
      if (failed === undefined) showToast({ text: words.testArrived(label), tone: 'positive' })
      else showToast({ text: words.testFailed(label, failed.error ?? ''), tone: 'negative' })
    },
    onError: (error) => showToast({ text: words.testFailed(label, error.message), tone: 'negative' }),
  })
}

export function useDeletion({ id, label }: Channel, onDeleted: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => deleteChannel(id),
    onSuccess: () => {
      showToast({ text: words.removed(label) })
      onDeleted()
      client.removeQueries({ queryKey: ['channels', id] })
      void client.invalidateQueries({ queryKey: ['channels'] })
      void client.invalidateQueries({ queryKey: ['alerts'] })
    },
  })
}
