import type { AuthorIdentity, ErasurePlan } from '../../domain/erasure/erasure-plan.ts'
import { foldReplied } from '../../domain/erasure/named-author.ts'
import { accountKeyOf } from '../../domain/person/account.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

type Deriving = Pick<Sealer, 'derive'>

const NOTHING_REPLIED = { author: null, url: null, text: null }

/**
 * The list of erased authors, kept in memory by each process that stores posts. Authors are compared by keyed hashes;
 * while the list is empty, none is computed.
 */
export class ErasedAuthors {
  private readonly deriving: Deriving
  private hashes: ReadonlySet<string> = new Set()
  private newest = 0

  constructor(deriving: Deriving) {
    this.deriving = deriving
  }

  /** Reads the list again if it changed. Call it in the transaction that stores, under `holdIngest`. */
  async refresh(reader: Reader): Promise<void> {
    const [row] = await reader.run<{ newest: number }>(
      'erased-authors-newest',
      'select coalesce(max(number), 0) as newest from erased_author',
      [],
    )
    if (row!.newest <= this.newest) return
    const rows = await reader.run<{ hash: Buffer; number: number }>(
      'erased-authors',
      'select hash, number from erased_author',
      [],
    )
    const newest = rows.reduce((most, { number }) => Math.max(most, number), 0)
    // Another caller may have read more meanwhile.
    if (newest <= this.newest) return
    this.hashes = new Set(rows.map(({ hash }) => hash.toString('base64')))
    this.newest = newest
  }

  /** Null for a post of an erased author. An answer to one comes without what it answers. */
  admitted(post: Post): Post | null {
    if (this.hashes.size === 0) return post
    if (this.isErased(post.platform, post.author)) return null
    const replied = post.replyTo?.author
    const isReply = replied && this.hashes.has(hashOfReplied(this.deriving, post.platform, foldReplied(replied)))
    return isReply ? { ...post, replyTo: NOTHING_REPLIED } : post
  }

  isErased(platform: Platform, author: AuthorIdentity | null): boolean {
    if (this.hashes.size === 0) return false
    const key = author && accountKeyOf(author)
    return key !== null && this.hashes.has(hashOfAuthor(this.deriving, platform, key))
  }
}

function hashOfAuthor(deriving: Deriving, platform: Platform, key: string): string {
  return deriving.derive(`erased author ${platform} ${key}`).toString('base64')
}

function hashOfReplied(deriving: Deriving, platform: Platform, name: string): string {
  return deriving.derive(`erased author answered ${platform} ${name}`).toString('base64')
}

/** One writer at a time, so that numbers become visible in their order. */
export async function listErased(
  tx: Transaction,
  deriving: Deriving,
  { platform, keys, replied }: ErasurePlan,
  at: Date,
): Promise<void> {
  await tx.query(sql`lock table erased_author in exclusive mode`)
  const hashes = [
    ...keys.map((key) => hashOfAuthor(deriving, platform, key)),
    ...replied.map((name) => hashOfReplied(deriving, platform, name)),
  ]
  await tx.query(sql`
    insert into erased_author (hash, erased_at)
    select decode(t.hash, 'base64'), ${at} from unnest(${hashes}::text[]) as t (hash) on conflict do nothing`)
}
