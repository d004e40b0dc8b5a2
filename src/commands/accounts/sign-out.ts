import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

export async function signOut({ db }: Services, hash: Buffer): Promise<void> {
  await db.query(sql`delete from user_session where hash = ${hash}`)
}
