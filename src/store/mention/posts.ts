import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'

export type StoredPost = readonly [id: Uuid, post: Post]

const INSERT = `insert into post (id, platform, native_id, url, title, body, image_url, links, published_at, language_hint,
      author_id, author, engagement, reply_to, review, collected_at)
     select id, platform, native_id, url, title, body, image_url, links::text[], published_at, language_hint, author_id,
       author, engagement, reply_to, review, $16
     from unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::timestamptz[], $10::text[], $11::text[], $12::jsonb[],
       $13::jsonb[], $14::jsonb[], $15::jsonb[]) as t (id, platform, native_id, url, title, body, image_url, links,
         published_at, language_hint, author_id, author, engagement, reply_to, review)`

/** Stores posts that are not there, of `columnsOfPosts`. */
export async function insertPosts(tx: Transaction, values: readonly unknown[]): Promise<void> {
  await tx.run('ingest-new-posts', INSERT, values)
}

const UPSERT = `${INSERT}
     on conflict (id) do update set title = excluded.title, body = excluded.body, links = excluded.links,
       image_url = excluded.image_url, review = excluded.review
       where (post.title, post.body, post.review) is distinct from (excluded.title, excluded.body, excluded.review)
     returning id`

/**
 * Stores posts, of `columnsOfPosts`, and returns those that are new or whose text was another. An edited post comes
 * again under its id: the newer text is kept, and of a review the newer stars and answer.
 */
export function upsertPosts(tx: Transaction, values: readonly unknown[]): Promise<{ id: Uuid }[]> {
  return tx.run<{ id: Uuid }>('ingest-posts', UPSERT, values)
}

/** Stores the newer texts of posts that are there; returns those whose text was another. */
export async function changePosts(tx: Transaction, rows: readonly StoredPost[], at: Date): Promise<Set<Uuid>> {
  if (rows.length === 0) return new Set()
  const changed = await upsertPosts(tx, columnsOfPosts(rows, at))
  return new Set(changed.map((row) => row.id))
}

export function columnsOfPosts(rows: readonly StoredPost[], at: Date): unknown[] {
  const posts = rows.map(([, post]) => post)
  const texts = (value: (post: Post) => string | null) => columns.texts(posts.map(value))
  const jsons = (value: (post: Post) => unknown) => columns.jsons(posts.map(value))
  return [
    columns.uuids(rows.map(([id]) => id)),
    columns.smallints(posts.map((post) => platformNumber(post.platform))),
    texts((post) => post.nativeId),
    texts((post) => post.url),
    texts((post) => post.title),
    texts((post) => post.text),
    texts((post) => post.imageUrl),
    texts((post) => arrayLiteral(post.links)),
    columns.instants(posts.map((post) => post.publishedAt)),
    texts((post) => post.languageHint),
    texts((post) => post.author?.id ?? null),
    jsons((post) => post.author),
    jsons((post) => post.engagement),
    jsons((post) => post.replyTo),
    jsons((post) => post.review),
    at,
  ]
}

/** A list of texts as one text, for rows whose lists differ in length. */
function arrayLiteral(values: readonly string[]): string {
  return values.length === 0 ? '{}' : `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Those of these posts that are there, locked in the order of their ids. */
export async function lockPosts(tx: Transaction, ids: readonly Uuid[]): Promise<Uuid[]> {
  const present = await tx.run<{ id: Uuid }>(
    'remove-posts-present',
    'select id from post where id = any($1::uuid[]) order by id for update',
    [ids],
  )
  return present.map((row) => row.id)
}

/** Deletes posts of which no mention is left. */
export async function deletePosts(tx: Transaction, ids: readonly Uuid[]): Promise<void> {
  await tx.run('remove-posts', 'delete from post where id = any($1::uuid[])', [ids])
}

/**
 * The stored posts of people who are no longer on a platform, those included of which only a sample of rejected ones is
 * kept.
 */
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
