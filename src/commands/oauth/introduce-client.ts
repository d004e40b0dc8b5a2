import { CLIENT_NEVER_USED_MS } from '../../domain/oauth/lifetimes.ts'
import { plus } from '../../kernel/clock.ts'
import type { KnownClient } from '../../queries/oauth/find-client.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

/** Takes over a client that registered at another installation. A known client stays as it is. */
export async function introduceClient(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, name, redirectUris, homeUrl, authMethod, keys, secretHash }: Omit<KnownClient, 'freshUntil' | 'hasGrants'>,
): Promise<void> {
  const now = clock.now()
  await db.query(sql`
    insert into oauth_client (id, name, redirect_uris, home_url, auth_method, keys, secret_hash, created_at, kept_until)
    values (${id}, ${name}, ${redirectUris}, ${homeUrl}, ${authMethod},
            ${keys === null ? null : JSON.stringify(keys)}::jsonb, ${secretHash}, ${now},
              ${plus(now, CLIENT_NEVER_USED_MS)})
    on conflict (id) do nothing`)
}
