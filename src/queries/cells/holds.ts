import type { Uuid } from '../../kernel/ids.ts'
import type { SecretKind } from '../../kernel/secrets.ts'
import { type Reader, sql } from '../../store/database.ts'

type Look = (db: Reader, hash: Buffer) => Promise<unknown[]>

/** By kind of secret, in any state. Those of a workspace whose import runs belong to the cell that it leaves. */
const LOOKS: Partial<Record<SecretKind, Look>> = {
  ref: (db, hash) =>
    db.query(sql`select 1 from api_key k join workspace w on w.id = k.workspace_id where k.hash = ${hash}
      and not w.importing`),
  eat: (db, hash) => lookForToken(db, hash),
  ert: (db, hash) => lookForToken(db, hash),
  eac: (db, hash) =>
    db.query(sql`select 1 from oauth_code c join workspace w on w.id = c.workspace_id where c.hash = ${hash}
      and not w.importing`),
  ses: (db, hash) => db.query(sql`select 1 from user_session where hash = ${hash}`),
  lnk: (db, hash) =>
    db.query(sql`select 1 from email_link where hash = ${hash}
      union all select 1 from telegram_link l join workspace w on w.id = l.workspace_id where l.hash = ${hash}
        and not w.importing`),
  ein: (db, hash) =>
    db.query(sql`select 1 from inspection i join workspace w on w.id = i.workspace_id where i.token_hash = ${hash}
      and not w.importing`),
}

function lookForToken(db: Reader, hash: Buffer): Promise<unknown[]> {
  return db.query(sql`select 1 from oauth_token t join workspace w on w.id = t.workspace_id where t.hash = ${hash}
    and not w.importing`)
}

/** Whether this installation stores the secret. False for kinds that are not looked for by hash. */
export async function holdsSecret(db: Reader, kind: SecretKind, hash: Buffer): Promise<boolean> {
  return ((await LOOKS[kind]?.(db, hash)) ?? []).length > 0
}

export async function holdsPerson(db: Reader, emailFolded: string): Promise<boolean> {
  return (await db.query(sql`select 1 from user_account where email_folded = ${emailFolded}`)).length > 0
}

/** False while the workspace's import runs. */
export async function holdsWorkspace(db: Reader, workspaceId: Uuid): Promise<boolean> {
  return (await db.query(sql`select 1 from workspace where id = ${workspaceId} and not importing`)).length > 0
}
