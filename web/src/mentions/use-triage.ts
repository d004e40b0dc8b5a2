import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { listMembers } from '../api/workspace.ts'
import { useAfterFirstLoad } from '../app/first-load.ts'
import { TriageActions } from './triage-actions.ts'

const actionsOf = new WeakMap<QueryClient, TriageActions>()

/** The changes of this tab, and the members that mentions can be assigned to. */
export function useTriage(): TriageActions {
  const client = useQueryClient()
  const members = useQuery({
    queryKey: ['members'],
    queryFn: ({ signal }) => listMembers(signal),
    staleTime: 300_000,
    enabled: useAfterFirstLoad(),
  })
  const actions = actionsOf.get(client) ?? new TriageActions(client)
  actionsOf.set(client, actions)
  actions.members = members.data?.data ?? []
  return actions
}
