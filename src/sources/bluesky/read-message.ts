import type { SourceEvent } from '../contract.ts'
import { nativeIdOf, toPost } from './to-post.ts'
import { accountChanged, commitHead, envelope, POST_COLLECTION, postDeleted, postWritten } from './wire.ts'

/**
 * `key` is the same on every host. `odd` is a message in an unknown form, with a null `timeUs` if even its time is
 * unreadable.
 */
export type Message =
  | { kind: 'read'; timeUs: number; key: string; event: SourceEvent; post: boolean }
  | { kind: 'odd'; timeUs: number | null; reason: string }
  | { kind: 'other'; timeUs: number }

/** Final states; a suspension may be lifted. */
const GONE = new Set(['deleted', 'takendown'])

export function readMessage(text: string): Message {
  const raw = jsonFrom(text)
  const head = envelope.safeParse(raw)
  if (!head.success) return { kind: 'odd', timeUs: null, reason: raw === undefined ? 'not JSON' : 'not an event' }
  const { time_us: timeUs, kind } = head.data
  if (kind === 'account') return readAccount(raw, timeUs)
  if (kind !== 'commit') return { kind: 'other', timeUs }
  const commit = commitHead.safeParse(raw)
  if (!commit.success) return { kind: 'odd', timeUs, reason: 'not a commit' }
  if (commit.data.commit.collection !== POST_COLLECTION) return { kind: 'other', timeUs }
  return commit.data.commit.operation === 'delete' ? readDeleted(raw, timeUs) : readWritten(raw, timeUs)
}

function readWritten(raw: unknown, timeUs: number): Message {
  const parsed = postWritten.safeParse(raw)
  if (!parsed.success) return { kind: 'odd', timeUs, reason: parsed.error.issues[0]?.path.join('.') ?? 'post' }
  const { did, commit } = parsed.data
  const post = toPost(parsed.data)
  if (post === null) return { kind: 'odd', timeUs, reason: 'a post outside the bounds of a post' }
  return {
    kind: 'read',
    timeUs,
    key: `${commit.operation} ${did}/${commit.rkey} ${commit.rev} ${commit.cid}`,
    event: { kind: 'post', post },
    post: true,
  }
}

function readDeleted(raw: unknown, timeUs: number): Message {
  const parsed = postDeleted.safeParse(raw)
  if (!parsed.success) return { kind: 'odd', timeUs, reason: parsed.error.issues[0]?.path.join('.') ?? 'deletion' }
  const { did, commit } = parsed.data
  const nativeId = nativeIdOf(did, commit.rkey)
  return {
    kind: 'read',
    timeUs,
    key: `delete ${nativeId} ${commit.rev}`,
    event: { kind: 'post_gone', platform: 'bluesky', nativeId },
    post: true,
  }
}

function readAccount(raw: unknown, timeUs: number): Message {
  const parsed = accountChanged.safeParse(raw)
  if (!parsed.success) return { kind: 'odd', timeUs, reason: 'not an account' }
  const { did, account } = parsed.data
  if (account.active || !GONE.has(account.status ?? '')) return { kind: 'other', timeUs }
  return {
    kind: 'read',
    timeUs,
    key: `account ${did} ${account.status} ${account.seq ?? ''}`,
    event: { kind: 'author_gone', platform: 'bluesky', authorId: did },
    post: false,
  }
}

/** Undefined if the text is not JSON. */
function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
