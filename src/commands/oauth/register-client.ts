import type { Client, ClientMetadata } from '../../domain/oauth/client.ts'
import { CLIENT_NEVER_USED_MS } from '../../domain/oauth/lifetimes.ts'
import { plus } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

export interface RegisteredClient extends Client {
  /** Shown only in this answer; null for public clients. */
  secret: string | null
  registeredAt: Date
}

/** A registered client may only ask people for consent. */
export async function registerClient(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  metadata: ClientMetadata,
): Promise<RegisteredClient> {
  const now = clock.now()
  const secret =
    metadata.authMethod === 'client_secret_basic' || metadata.authMethod === 'client_secret_post'
      ? newSecret('ecs')
      : null
  const id = newUuid(now)
  await db.query(sql`
    insert into oauth_client (id, name, redirect_uris, home_url, auth_method, keys, secret_hash, created_at, kept_until)
    values (${id}, ${metadata.name}, ${metadata.redirectUris}, ${metadata.homeUrl}, ${metadata.authMethod},
            ${metadata.keys === null ? null : JSON.stringify(metadata.keys)}::jsonb, ${secret?.hash ?? null}, ${now},
              ${plus(now, CLIENT_NEVER_USED_MS)})`)
  return { ...metadata, id, secret: secret?.text ?? null, registeredAt: now }
}
