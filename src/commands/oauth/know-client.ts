import type { Client } from '../../domain/oauth/client.ts'
import { type FetchedDocument, freshMs, readClientDocument } from '../../domain/oauth/client-document.ts'
import { documentAddressProblem, isDocumentAddress } from '../../domain/oauth/document-address.ts'
import { isOAuthRefusal, type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import { findClient } from '../../queries/oauth/find-client.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

/** Null when nothing usable came back. */
export type FetchDocument = (address: string) => Promise<FetchedDocument | null>

/**
 * A registered client, or the one that the document at this address describes. A stale document is not used: a client
 * must be able to remove an address.
 */
export async function knowClient(
  services: Pick<Services, 'db' | 'clock'>,
  id: string,
  fetchDocument: FetchDocument,
): Promise<Client | OAuthRefusal> {
  const now = services.clock.now()
  const known = await findClient(services.db, id)
  if (known !== null && (known.freshUntil === null || known.freshUntil > now)) return known
  if (!isDocumentAddress(id))
    return refuseOAuth('invalid_client', 'There is no such client; it may have to register again.')
  const problem = documentAddressProblem(id)
  if (problem !== null)
    return refuseOAuth('invalid_client', `A client_id that is the address of a document ${problem}.`)
  const document = await fetchDocument(id)
  if (document === null)
    return refuseOAuth('invalid_client', 'The document at the address that is the client_id could not be read.')
  const client = readClientDocument(id, document)
  if (!isOAuthRefusal(client)) await keep(services, client, plus(now, freshMs(document)))
  return client
}

async function keep(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, name, redirectUris, homeUrl, authMethod, keys }: Client,
  freshUntil: Date,
): Promise<void> {
  await db.query(sql`
    insert into oauth_client (id, name, redirect_uris, home_url, auth_method, keys, fresh_until, created_at, kept_until)
    values (${id}, ${name}, ${redirectUris}, ${homeUrl}, ${authMethod},
      ${keys === null ? null : JSON.stringify(keys)}::jsonb, ${freshUntil}, ${clock.now()}, ${freshUntil})
    on conflict (id) do update
      set name = excluded.name, redirect_uris = excluded.redirect_uris, home_url = excluded.home_url,
        fresh_until = excluded.fresh_until,
          auth_method = excluded.auth_method, keys = excluded.keys, kept_until = greatest(oauth_client.kept_until,
            excluded.kept_until)`)
}
