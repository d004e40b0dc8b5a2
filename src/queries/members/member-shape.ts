import type { Role } from '../../domain/member/member.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface Member {
  id: Id<'mem'>
  userId: Id<'user'>
  email: string
  name: string
  role: Role
  joinedAt: string
}

/** Owners first, then admins, then members, each by time of joining. */
export async function readMembers(db: Reader, workspaceId: Uuid, id: Uuid | null = null): Promise<Member[]> {
  const rows = await db.query<MemberRow>(sql`
    select m.id, m.user_id, u.email, u.name, m.role, m.joined_at
      from membership m join user_account u on u.id = m.user_id
     where m.workspace_id = ${workspaceId} and (${id}::uuid is null or m.id = ${id})
     order by case m.role when 'owner' then 0 when 'admin' then 1 else 2 end, m.joined_at, m.id`)
  return rows.map(fromRow)
}

interface MemberRow {
  id: Uuid
  user_id: Uuid
  email: string
  name: string
  role: Role
  joined_at: Date
}

function fromRow(row: MemberRow): Member {
  return {
    id: toId('mem', row.id),
    userId: toId('user', row.user_id),
    email: row.email,
    name: row.name,
    role: row.role,
    joinedAt: row.joined_at.toISOString(),
  }
}
