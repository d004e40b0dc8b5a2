import { useQuery } from '@tanstack/react-query'
import { listAlerts } from '../api/alerts.ts'
import { getWallet } from '../api/billing.ts'
import { listChannels } from '../api/channels.ts'
import { listGroups } from '../api/groups.ts'
import { listKeywords } from '../api/keywords.ts'
import { listNamedSources } from '../api/named-sources.ts'
import { listSegments } from '../api/segments.ts'
import { listViews } from '../api/views.ts'
import { getWorkspace, listMembers, listSources } from '../api/workspace.ts'
import { useAfterFirstLoad } from './first-load.ts'

// What many places show, under one key each. Hooks ask after the first page.

interface Asking {
  signal: AbortSignal
}

export const ALERTS_QUERY = { queryKey: ['alerts'], queryFn: ({ signal }: Asking) => listAlerts(signal) }

export const CHANNELS_QUERY = { queryKey: ['channels'], queryFn: ({ signal }: Asking) => listChannels(signal) }

export const GROUPS_QUERY = { queryKey: ['groups'], queryFn: ({ signal }: Asking) => listGroups(signal) }

export const MEMBERS_QUERY = { queryKey: ['members'], queryFn: ({ signal }: Asking) => listMembers(signal) }

export const WORKSPACE_QUERY = { queryKey: ['workspace'], queryFn: ({ signal }: Asking) => getWorkspace(signal) }

export const NAMED_SOURCES_QUERY = {
  queryKey: ['named-sources'],
  queryFn: ({ signal }: Asking) => listNamedSources(signal),
}

export const SOURCES_QUERY = { queryKey: ['sources'], queryFn: ({ signal }: Asking) => listSources(signal) }

export const SEGMENTS_QUERY = { queryKey: ['segments'], queryFn: ({ signal }: Asking) => listSegments(signal) }

/** The first hundred keywords, for names and choices. */
export const KEYWORD_NAMES_QUERY = {
  queryKey: ['keywords', 'names'],
  queryFn: ({ signal }: Asking) => listKeywords({ limit: 100 }, signal),
}

export function useViews() {
  const enabled = useAfterFirstLoad()
  return useQuery({ queryKey: ['views'], queryFn: ({ signal }) => listViews(signal), enabled })
}

export function useWallet() {
  const enabled = useAfterFirstLoad()
  return useQuery({ queryKey: ['wallet'], queryFn: ({ signal }) => getWallet(signal), enabled })
}
