import type { ErasurePlan } from '../../domain/erasure/erasure-plan.ts'
import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import type { Author } from '../../domain/post/post.ts'
import { batchesOf } from '../../kernel/batches.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, type Statement, sql } from '../database.ts'

/** Authors whose description holds one of the texts, in any case, newest first. Reads all posts of the platform. */
export async function readAuthorsWith(
  reader: Reader,
  platform: Platform,
  texts: readonly string[],
): Promise<{ author: Author; posts: number }[]> {
  // As JSON writes them.
  const within = texts.map((text) => JSON.stringify(text.toLowerCase()).slice(1, -1))
  return reader.query<{ author: Author; posts: number }>(sql`
    select author, count(*)::int as posts from post p
    where platform = ${platformNumber(platform)} and author is not null
      and exists (select from unnest(${within}::text[]) as t (text) where strpos(lower(p.author::text), t.text) > 0)
    group by author order by max(published_at) desc, author::text`)
}

/** The condition of the author's posts `p`. */
function isWrittenBy({ platform, ids, handles, urls, names }: ErasurePlan): Statement<unknown> {
  const handle = sql`coalesce(p.author ->> 'handle', '')`
  const url = sql`coalesce(p.author ->> 'url', '')`
  const name = sql`coalesce(p.author ->> 'name', '')`
  return sql`p.platform = ${platformNumber(platform)} and (p.author_id = any(${ids}::text[])
    or (coalesce(p.author_id, '') = '' and (lower(${handle}) = any(${handles}::text[])
      or (${handle} = '' and ${url} = any(${urls}::text[]))
      or (${handle} = '' and ${url} = '' and ${name} = any(${names}::text[])))))`
}

export async function readPostsOf(reader: Reader, plan: ErasurePlan): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(sql`select p.id from post p where ${isWrittenBy(plan)} order by p.id`)
  return rows.map(({ id }) => id)
}

export interface Holdings {
  posts: number
  mentions: number
  workspaces: number
  deliveries: number
}

export async function countHoldings(reader: Reader, plan: ErasurePlan): Promise<Holdings> {
  const [row] = await reader.query<Holdings>(sql`
    with written as materialized (select p.id from post p where ${isWrittenBy(plan)}),
    mentioned as materialized (
      select m.workspace_id, m.id from written w cross join lateral (
        select workspace_id, id from mention m where m.post_id = w.id offset 0) m)
    select (select count(*)::int from written) as posts, (select count(*)::int from mentioned) as mentions,
      (select count(distinct workspace_id)::int from mentioned) as workspaces,
      (select count(*)::int from mentioned m cross join lateral (select from delivery d
        where d.workspace_id = m.workspace_id and d.mention_id = m.id offset 0) d) as deliveries`)
  return row!
}

const REPLIES_AT_ONCE = 500

/** Answers to the author lose what they answer: its author, address and text. Returns how many. */
export async function emptyRepliesTo(db: Database, plan: ErasurePlan): Promise<number> {
  const rows = await db.query<{ id: Uuid }>(sql`
    select id from post r where r.platform = ${platformNumber(plan.platform)} and r.reply_to is not null and (
      ltrim(lower(r.reply_to ->> 'author'), '@') = any(${plan.replied}::text[])
      or r.reply_to ->> 'url' in (select p.url from post p where ${isWrittenBy(plan)})) order by id`)
  for (const ids of batchesOf(
    rows.map(({ id }) => id),
    REPLIES_AT_ONCE,
  ))
    await db.transaction(async (tx) => {
      await tx.query(sql`select from post where id = any(${ids}::uuid[]) order by id for update`)
      await tx.query(sql`
        update post set reply_to = '{"author": null, "url": null, "text": null}' where id = any(${ids}::uuid[])`)
    })
  return rows.length
}

export interface ErasedMention {
  workspaceId: Uuid
  id: Uuid
  note: string | null
}

export async function readMentionsOf(reader: Reader, postIds: readonly Uuid[]): Promise<ErasedMention[]> {
  return reader.query<ErasedMention>(sql`
    select workspace_id as "workspaceId", id, note from mention where post_id = any(${postIds}::uuid[])
    order by workspace_id, id`)
}
