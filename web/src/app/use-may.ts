import { useSession } from './session.ts'

/** What the role of the person allows beyond the daily work of a member. The server decides anew at each request. */
export function useMay(): { manage: boolean; own: boolean } {
  const { role } = useSession().workspace
  return { manage: role !== 'member', own: role === 'owner' }
}
