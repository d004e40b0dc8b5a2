import type { Reading } from '../reading.ts'
import { type Member, readMembers } from './member-shape.ts'

/** Everybody who belongs to the workspace: owners first, then admins, then the others, each as they joined. */
export function listMembers({ db, workspaceId }: Reading): Promise<Member[]> {
  return readMembers(db, workspaceId)
}
