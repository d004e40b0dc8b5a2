import type { ErasurePlan } from '../../domain/erasure/erasure-plan.ts'
import { intentsFromBits, SENTIMENTS } from '../../domain/mention/classification.ts'
import { platformFromNumber } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { batchesOf } from '../../kernel/batches.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql } from '../../store/database.ts'
import { readPostsOf } from '../../store/erasure/author-posts.ts'
import { findAccounts } from '../../store/erasure/erase-accounts.ts'

const POSTS_AT_ONCE = 500

type Line = Readonly<Record<string, unknown>>

/**
 * Everything that is held about an author, a value a line: first whom it is about, then posts with what was concluded
 * from them, then what workspaces noted. Workspaces are numbered; their names, keywords and members are not told.
 */
export async function* exportAuthor(db: Database, plan: ErasurePlan, at: Date): AsyncGenerator<Line> {
  const numbers = new Map<Uuid, number>()
  const numberOf = (workspaceId: Uuid) => {
    const number = numbers.get(workspaceId) ?? numbers.size + 1
    numbers.set(workspaceId, number)
    return number
  }
  const { platform, ids, handles, urls, names } = plan
  yield { type: 'author', exportedAt: at.toISOString(), platform, ids, handles, urls, names }
  for (const posts of batchesOf(await readPostsOf(db, plan), POSTS_AT_ONCE)) {
    const judged = await readJudged(db, posts)
    for (const post of await readPosts(db, posts))
      yield {
        type: 'post',
        ...post,
        platform: platformFromNumber(post.platform),
        assessments: (judged.get(post.id) ?? []).map((mention) => assessment(mention, numberOf)),
      }
  }
  for (const [workspaceId, accounts] of await findAccounts(db, plan))
    for (const profile of await readProfiles(db, workspaceId, accounts))
      yield { type: 'profile', workspace: numberOf(workspaceId), ...profile }
}

interface ExportedPost extends Omit<Post, 'platform'> {
  id: Uuid
  platform: number
  collectedAt: Date
}

async function readPosts(reader: Reader, ids: readonly Uuid[]): Promise<ExportedPost[]> {
  return reader.query<ExportedPost>(sql`
    select id, platform, native_id as "nativeId", url, title, body as text, image_url as "imageUrl", links,
      published_at as "publishedAt", language_hint as "languageHint", author, engagement, reply_to as "replyTo", review,
      collected_at as "collectedAt"
    from post where id = any(${ids}::uuid[]) order by published_at, id`)
}

interface Judged {
  workspaceId: Uuid
  postId: Uuid
  createdAt: Date
  scoredAt: Date | null
  relevance: number | null
  sentiment: number | null
  intents: number | null
  automated: boolean | null
  language: string | null
  note: string | null
  triageNote: string | null
  sentTo: string[]
}

async function readJudged(reader: Reader, posts: readonly Uuid[]): Promise<Map<Uuid, Judged[]>> {
  const rows = await reader.query<Judged>(sql`
    select m.workspace_id as "workspaceId", m.post_id as "postId", m.created_at as "createdAt",
      m.scored_at as "scoredAt", m.relevance, m.sentiment, m.intents, m.automated, m.language, m.note,
      m.triage_note as "triageNote", array(
        select distinct c.kind from delivery d
        join channel c on c.workspace_id = d.workspace_id and c.id = d.channel_id
        where d.workspace_id = m.workspace_id and d.mention_id = m.id and d.status = 'delivered' order by 1) as "sentTo"
    from mention m where m.post_id = any(${posts}::uuid[]) order by m.workspace_id, m.id`)
  const byPost = new Map<Uuid, Judged[]>()
  for (const row of rows) byPost.set(row.postId, [...(byPost.get(row.postId) ?? []), row])
  return byPost
}

function assessment(mention: Judged, numberOf: (workspaceId: Uuid) => number): Line {
  const { workspaceId, postId: _, sentiment, intents, ...rest } = mention
  return {
    workspace: numberOf(workspaceId),
    ...rest,
    sentiment: sentiment === null ? null : SENTIMENTS[sentiment],
    intents: intents === null ? [] : intentsFromBits(intents),
  }
}

async function readProfiles(reader: Reader, workspaceId: Uuid, accounts: readonly Uuid[]): Promise<Line[]> {
  return reader.query<Line>(sql`
    select a.name, a.handle, a.url, a.avatar_url as "avatarUrl", a.followers, a.mentions,
      a.first_seen_at as "firstSeenAt", a.last_seen_at as "lastSeenAt", p.tags, p.notes, p.muted
    from account a join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
    where a.workspace_id = ${workspaceId} and a.id = any(${accounts}::uuid[]) order by a.id`)
}
