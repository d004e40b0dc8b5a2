import type { QueryContext } from '../reading.ts'
import { type Member, readMembers } from './member-shape.ts'

/** Everybody who belongs to the workspace: owners first, then admins, then the others, each as they joined. */
export function listMembers({ db, workspaceId }: QueryContext): Promise<Member[]> {
  return readMembers(db, workspaceId)
}
