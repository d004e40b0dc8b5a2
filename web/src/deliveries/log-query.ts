import type { Delivery, DeliveryQuery } from '../api/deliveries.ts'

export const STATUSES = ['failed', 'held', 'pending', 'delivered', 'cancelled'] as const
export const KINDS = ['mention', 'digest', 'event'] as const

/** What the log shows, as it stands in the address by the names of the API. */
export interface LogQuery {
  status: Delivery['status'][]
  kind: Delivery['kind'] | null
  channelId: string | null
  alertId: string | null
  mentionId: string | null
  since: string | null
}

export const NOTHING: LogQuery = {
  status: [],
  kind: null,
  channelId: null,
  alertId: null,
  mentionId: null,
  since: null,
}

/** The open delivery. Digests share an id among channels, so the channel belongs to it. */
export interface Opened {
  id: string
  channelId: string | null
}

export function logQueryIn(params: URLSearchParams): LogQuery {
  const named = new Set((params.get('status') ?? '').split(','))
  return {
    status: STATUSES.filter((status) => named.has(status)),
    kind: KINDS.find((kind) => kind === params.get('kind')) ?? null,
    channelId: params.get('channelId'),
    alertId: params.get('alertId'),
    mentionId: params.get('mentionId'),
    since: params.get('since'),
  }
}

export function openedIn(params: URLSearchParams): Opened | null {
  const id = params.get('d')
  return id === null || id === '' ? null : { id, channelId: params.get('at') }
}

export function logHref(query: LogQuery, opened: Opened | null = null): string {
  const params = new URLSearchParams()
  if (query.status.length > 0) params.set('status', query.status.join(','))
  for (const name of ['kind', 'channelId', 'alertId', 'mentionId', 'since'] as const)
    if (query[name] !== null) params.set(name, query[name])
  if (opened !== null) params.set('d', opened.id)
  if (opened?.channelId != null) params.set('at', opened.channelId)
  const text = params.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return text === '' ? '/deliveries' : `/deliveries?${text}`
}

export function requestOf({ status, kind, ...ids }: LogQuery): DeliveryQuery {
  const named = Object.entries(ids).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(named),
    ...(status.length === 0 ? {} : { status }),
    ...(kind === null ? {} : { kind: [kind] }),
  }
}

export function isFiltered(query: LogQuery): boolean {
  return Object.keys(requestOf(query)).length > 0
}

export const SINCE_MS = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
export type SincePreset = keyof typeof SINCE_MS

/** The beginning of a time that ends now, to the minute, so that an address stays short. */
export function sinceOf(preset: SincePreset, now: number): string {
  return new Date(Math.floor((now - SINCE_MS[preset]) / 60_000) * 60_000).toISOString().replace(':00.000Z', ':00Z')
}
