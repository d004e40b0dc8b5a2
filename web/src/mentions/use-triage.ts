import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../app/session.ts'
import { MEMBERS_QUERY } from '../app/workspace-queries.ts'
import { TriageActions } from './triage-actions.ts'

const actionsOf = new WeakMap<QueryClient, TriageActions>()

/** The changes of this tab. */
export function useTriage(): TriageActions {
  const client = useQueryClient()
  const session = useSession()
  const actions = actionsOf.get(client) ?? new TriageActions(client, session)
  actionsOf.set(client, actions)
  return actions
}

/** The members that mentions can be assigned to. */
export function useAssignableMembers() {
  return useQuery({ ...MEMBERS_QUERY, staleTime: 300_000 })
}
