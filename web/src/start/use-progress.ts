import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '../api/channels.ts'
import { type Delivery, type DeliveryQuery, searchDeliveries } from '../api/deliveries.ts'
import { listKeywords } from '../api/keywords.ts'
import { listMentions, type Mention, type MentionQuery } from '../api/mentions.ts'
import { isReady } from '../app/new-channel/ready.ts'
import { useLive } from '../app/use-live.ts'
import { ALERTS_QUERY, CHANNELS_QUERY } from '../app/workspace-queries.ts'
import { type Done, isSentTo, targetChannel } from './steps.ts'
import { type Visit, watchedIds } from './visit.ts'

/** How often an answer is asked for again while something is waited for, in milliseconds. */
const WAIT_MS = 5000

/** What the workspace has of each step. */
export interface Progress {
  done: Done
  keywordCount: number
  firstTerm: string | null
  mention: Mention | null
  channels: readonly Channel[]
  target: Channel | null
  ruleName: string | null
  delivery: Delivery | null
}

interface ProgressAnswer {
  /** Null until everything was read. */
  progress: Progress | null
  error: Error | null
  retry: () => void
}

export function useProgress(visit: Visit): ProgressAnswer {
  const keywords = useQuery({
    queryKey: ['keywords', KEYWORDS],
    queryFn: ({ signal }) => listKeywords(KEYWORDS, signal),
  })
  const mention = useMention(visit, (keywords.data?.total ?? 0) > 0)
  const channels = useChannels(visit.waitsFor)
  const alerts = useQuery(ALERTS_QUERY)
  const target = targetChannel(channels.data?.data ?? [], visit.channelId)
  const rule = alerts.data?.data.find((alert) => target !== null && isSentTo(alert, target.id))
  const deliveries = useDeliveries(target, rule !== undefined)
  const queries = [keywords, mention.query, channels, alerts, deliveries]
  const failed = queries.find(({ data, error }) => data === undefined && error !== null)
  const answer = { error: failed?.error ?? null, retry: () => queries.forEach((query) => void query.refetch()) }
  // The log of a channel that was just chosen counts as empty until it is read.
  const isLogRead = deliveries.data !== undefined || visit.channelId !== null
  if (!keywords.data || !mention.isRead || !channels.data || !alerts.data || !isLogRead)
    return { ...answer, progress: null }
  const delivery = newestOf(deliveries.data?.data)
  const test = visit.test !== null && visit.test.channelId === target?.id ? visit.test.outcome : null
  const done: Done = {
    term: keywords.data.total > 0,
    mention: mention.found !== null,
    channel: target !== null,
    test: rule !== undefined || test === 'delivered' || test === 'skipped',
    rule: rule !== undefined,
    delivery: delivery?.status === 'delivered',
  }
  const progress = {
    done,
    keywordCount: keywords.data.total,
    firstTerm: keywords.data.data[0]?.term ?? null,
    mention: mention.found,
    channels: channels.data.data,
    target,
    ruleName: rule?.name ?? null,
    delivery,
  }
  return { ...answer, progress }
}

const KEYWORDS = { limit: 1 }

function useMention(visit: Visit, isWaiting: boolean) {
  const client = useQueryClient()
  const ids = watchedIds(visit)
  const query: MentionQuery = ids.length === 0 ? { limit: 3 } : { keywordIds: ids, limit: 3 }
  const mentions = useQuery({
    queryKey: ['mentions', query],
    queryFn: ({ signal }) => listMentions(query, signal),
    refetchInterval: ({ state }) => isWaiting && scoredOf(state.data?.data) === null && WAIT_MS,
  })
  const found = scoredOf(mentions.data?.data)
  useLive(['mention.scored'], () => {
    if (found === null) void client.invalidateQueries({ queryKey: ['mentions', query] })
  })
  return { query: mentions, found, isRead: mentions.data !== undefined || ids.length > 0 }
}

function scoredOf(mentions: readonly Mention[] | undefined): Mention | null {
  return mentions?.find(({ classification }) => classification !== null) ?? null
}

function useChannels(waitsFor: string | null) {
  return useQuery({
    ...CHANNELS_QUERY,
    // Somebody connects a chat or confirms an address elsewhere.
    refetchInterval: ({ state }) =>
      (state.data?.data.some((channel) => channel.id === waitsFor && !isReady(channel)) ?? false) && WAIT_MS,
  })
}

const NO_DELIVERIES = { data: [], nextCursor: null }

function useDeliveries(target: Channel | null, isWaiting: boolean) {
  const client = useQueryClient()
  const query: DeliveryQuery = { limit: 25, kind: ['mention', 'digest'], ...(target && { channelId: target.id }) }
  const deliveries = useQuery({
    queryKey: ['deliveries', query],
    queryFn: ({ signal }) => (target === null ? NO_DELIVERIES : searchDeliveries(query, signal)),
    refetchInterval: ({ state }) => isWaiting && newestOf(state.data?.data)?.status !== 'delivered' && WAIT_MS,
  })
  const isDelivered = newestOf(deliveries.data?.data)?.status === 'delivered'
  useLive(['delivery.changed'], () => {
    if (!isDelivered) void client.invalidateQueries({ queryKey: ['deliveries', query] })
  })
  return deliveries
}

/** The newest that was delivered, else the newest. */
function newestOf(deliveries: readonly Delivery[] | undefined): Delivery | null {
  return deliveries?.find(({ status }) => status === 'delivered') ?? deliveries?.[0] ?? null
}
