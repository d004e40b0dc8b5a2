import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

export type StoredPost = readonly [id: Uuid, post: Post]

const POSTS = new GivenRows<StoredPost>({
  id: given.uuid(([id]) => id),
  platform: given.smallint(([, { platform }]) => platformNumber(platform)),
  native_id: given.text(([, { nativeId }]) => nativeId),
  url: given.text(([, { url }]) => url),
  title: given.text(([, { title }]) => title),
  body: given.text(([, { text }]) => text),
  image_url: given.text(([, { imageUrl }]) => imageUrl),
  links: given.texts(([, { links }]) => links),
  published_at: given.instant(([, { publishedAt }]) => publishedAt),
  language_hint: given.text(([, { languageHint }]) => languageHint),
  author_id: given.text(([, { author }]) => author?.id ?? null),
  author: given.json(([, { author }]) => author),
  engagement: given.json(([, { engagement }]) => engagement),
  reply_to: given.json(([, { replyTo }]) => replyTo),
  review: given.json(([, { review }]) => review),
})

const INSERT = `insert into post (${POSTS.names}, collected_at)
     select ${POSTS.selected}, $${POSTS.after} from ${POSTS.unnested}`

export async function insertPosts(tx: Transaction, values: readonly unknown[]): Promise<void> {
  await tx.run('ingest-new-posts', INSERT, values)
}

const UPSERT = `${INSERT}
     on conflict (id) do update set title = excluded.title, body = excluded.body, links = excluded.links,
       image_url = excluded.image_url, review = excluded.review
       where (post.title, post.body, post.review) is distinct from (excluded.title, excluded.body, excluded.review)
     returning id`

const INSERT_OR_HOLD = `${INSERT} order by id on conflict (id) do update set id = excluded.id`

/** Inserts posts and locks those that are stored, which stay as they are. Each id once. */
export async function insertOrHoldPosts(tx: Transaction, rows: readonly StoredPost[], at: Date): Promise<void> {
  if (rows.length > 0) await tx.run('import-posts', INSERT_OR_HOLD, columnsOfPosts(rows, at))
}

/** Returns new and edited posts. An edited post keeps its id. */
export function upsertPosts(tx: Transaction, values: readonly unknown[]): Promise<{ id: Uuid }[]> {
  return tx.run<{ id: Uuid }>('ingest-posts', UPSERT, values)
}

/** Returns the edited posts. */
export async function changePosts(tx: Transaction, rows: readonly StoredPost[], at: Date): Promise<Set<Uuid>> {
  if (rows.length === 0) return new Set()
  const changed = await upsertPosts(tx, columnsOfPosts(rows, at))
  return new Set(changed.map((row) => row.id))
}

export function columnsOfPosts(rows: readonly StoredPost[], at: Date): unknown[] {
  return [...POSTS.values(rows), at]
}

/** Locks the posts in order of id. */
export async function lockPosts(tx: Transaction, ids: readonly Uuid[]): Promise<Uuid[]> {
  const present = await tx.run<{ id: Uuid }>(
    'remove-posts-present',
    'select id from post where id = any($1::uuid[]) order by id for update',
    [ids],
  )
  return present.map((row) => row.id)
}

/** The caller holds the posts. Returns how many went. */
export async function deleteUnmentionedPosts(tx: Transaction, ids: readonly Uuid[]): Promise<number> {
  const gone = await tx.run(
    'delete-unmentioned-posts',
    `delete from post p where p.id = any($1::uuid[]) and not exists (select from mention m where m.post_id = p.id)
     returning 1`,
    [ids],
  )
  return gone.length
}

export async function deletePosts(tx: Transaction, ids: readonly Uuid[]): Promise<void> {
  await tx.run('remove-posts', 'delete from post where id = any($1::uuid[])', [ids])
}

/** Includes posts in samples of rejected posts. */
export async function postsOfAuthors(
  tx: Transaction,
  platform: Post['platform'],
  authorIds: readonly string[],
): Promise<Uuid[]> {
  if (authorIds.length === 0) return []
  const rows = await tx.run<{ id: Uuid }>(
    'posts-of-authors',
    `select id from post where platform = $1 and author_id = any($2::text[])
     union select post_id from rejected_post where platform = $1 and author_id = any($2::text[])`,
    [platformNumber(platform), authorIds],
  )
  return rows.map((row) => row.id)
}
