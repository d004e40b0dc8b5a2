import { toId, type Uuid } from '../../kernel/ids.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import { hashOf, secretFrom, secretOf } from '../../kernel/secrets.ts'

/** What the address of a view's feed is made of. */
export interface FeedAddress {
  workspaceId: Uuid
  id: Uuid
  /** Grows whenever the address is renewed. */
  feedVersion: number
  /** The hash of an address that was given out before they were derived, until the address is renewed; else null. */
  feedHash: Buffer | null
}

interface Installation {
  publicUrl: string
  sealer: Pick<Sealer, 'derive'>
}

/** The present address of a feed. It can be made at any time, because nothing of it is stored. */
export function feedUrlOf(installation: Installation, feed: FeedAddress): string {
  return urlWith(installation, feed, tokenOf(installation, feed))
}

/** The address of a feed with a token that was checked before. */
export function urlWith(
  { publicUrl }: Pick<Installation, 'publicUrl'>,
  { id }: Pick<FeedAddress, 'id'>,
  token: string,
): string {
  return `${publicUrl}/v1/views/${toId('vw', id)}/feed.xml?token=${token}`
}

/** Whether a token opens a feed. Hashes are compared, so that the time it takes tells nothing of the right one. */
export function opensFeed(installation: Pick<Installation, 'sealer'>, feed: FeedAddress, token: string): boolean {
  const shown = secretOf(token)
  if (shown?.kind !== 'efd') return false
  return (
    shown.hash.equals(hashOf(tokenOf(installation, feed))) ||
    (feed.feedHash !== null && shown.hash.equals(feed.feedHash))
  )
}

/** The address after this one; whatever opened the feed before does so no more. */
export function renewed<Feed extends FeedAddress>(feed: Feed): Feed {
  return { ...feed, feedVersion: feed.feedVersion + 1, feedHash: null }
}

function tokenOf({ sealer }: Pick<Installation, 'sealer'>, { workspaceId, id, feedVersion }: FeedAddress): string {
  return secretFrom('efd', sealer.derive(`feed ${workspaceId} ${id} ${feedVersion}`))
}
