import { toId, type Uuid } from '../../kernel/ids.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import { hashOf, secretFrom, secretOf } from '../../kernel/secrets.ts'

export interface FeedAddress {
  workspaceId: Uuid
  id: Uuid
  /** Incremented when the address is renewed. */
  feedVersion: number
  /** The hash of an address from before addresses were derived, until it is renewed. */
  feedHash: Buffer | null
}

interface Installation {
  publicUrl: string
  sealer: Pick<Sealer, 'derive'>
}

/** Derived, so that no secret is stored. */
export function feedUrlOf(installation: Installation, feed: FeedAddress): string {
  return urlWith(installation, feed, tokenOf(installation, feed))
}

export function urlWith(
  { publicUrl }: Pick<Installation, 'publicUrl'>,
  { id }: Pick<FeedAddress, 'id'>,
  token: string,
): string {
  return `${publicUrl}/v1/views/${toId('vw', id)}/feed.xml?token=${token}`
}

/** Compares hashes, so that timing reveals nothing of the token. */
export function opensFeed(installation: Pick<Installation, 'sealer'>, feed: FeedAddress, token: string): boolean {
  const shown = secretOf(token)
  if (shown?.kind !== 'efd') return false
  return (
    shown.hash.equals(hashOf(tokenOf(installation, feed))) ||
    (feed.feedHash !== null && shown.hash.equals(feed.feedHash))
  )
}

export function renewed<Feed extends FeedAddress>(feed: Feed): Feed {
  return { ...feed, feedVersion: feed.feedVersion + 1, feedHash: null }
}

function tokenOf({ sealer }: Pick<Installation, 'sealer'>, { workspaceId, id, feedVersion }: FeedAddress): string {
  return secretFrom('efd', sealer.derive(`feed ${workspaceId} ${id} ${feedVersion}`))
}
