import type { SamplePost, Split } from '../../../domain/keyword/suggestions/evidence.ts'
import { phrasesOf } from '../../../domain/keyword/suggestions/phrases.ts'
import { sampleAuthorOf } from '../../../domain/keyword/suggestions/sample-author.ts'
import { eachPost } from '../../../domain/keyword/suggestions/steps.ts'
import { RELEVANCE_THRESHOLD } from '../../../domain/mention/classification.ts'
import { platformFromNumber } from '../../../domain/platform/platforms.ts'
import type { Author } from '../../../domain/post/post.ts'
import { type SearchedPost, searchedTextOf } from '../../../domain/post/searched-text.ts'
import { plus } from '../../../kernel/clock.ts'
import { inTurns } from '../../../kernel/concurrency/steps.ts'
import { firstUuidAt, type Uuid } from '../../../kernel/ids.ts'
import { tokens } from '../../../matching/index.ts'
import { type Reader, type Statement, sql } from '../../../store/database.ts'

/** Posts of each sort. */
export const SAMPLE_MOST = 200
/** Mentions searched for them. */
const LOOKED_THROUGH = 10_000
/** Equal parts of the window, each with the newest posts, when it is read by time. */
const SLICES = 20

export interface StoredSample {
  posts: SampledPost[]
  /** True when these are all scored posts of the window. */
  whole: boolean
}

export interface SampledPost {
  postId: Uuid
  relevant: boolean
  searched: SearchedPost
  /** Title and text. */
  text: string
  evidence: SamplePost
}

export interface SampleSearch {
  workspaceId: Uuid
  keywordId: Uuid
  /** `start` is included, `end` is not. */
  start: Date
  end: Date
  /** Mentions of the keyword, of the keyword in the window, and of the workspace in the window. */
  counts: { keyword: number; inWindow: number; workspaceInWindow: number }
}

interface SampleRow {
  post_id: Uuid
  relevant: boolean
  /** All found posts of this sort, not only the returned ones. */
  of_sort: number
  platform: number
  title: string | null
  body: string
  links: string[]
  author: Author | null
}

/**
 * Reads posts of both sorts across the window. Post ids are random, so a keyword's posts in id order are a fair sample
 * of all times; a short window is read by time instead. A keyword with few mentions is read whole.
 */
export async function readSample(reader: Reader, search: SampleSearch): Promise<StoredSample> {
  const few = search.counts.keyword <= LOOKED_THROUGH
  const rows = await reader.query<SampleRow>(sql`
    with looked as materialized (${few || !quickerByTime(search) ? byPost(search) : byTime(search)}),
    sorted as (
      select post_id, relevance >= ${RELEVANCE_THRESHOLD} as relevant, count(*) over (partition by relevance >=
        ${RELEVANCE_THRESHOLD}) as of_sort,
        row_number() over (partition by relevance >= ${RELEVANCE_THRESHOLD} order by post_id) as place
      from looked where relevance is not null and created_at >= ${search.start} and created_at < ${search.end})
    select s.post_id, s.relevant, s.of_sort, p.platform, p.title, p.body, p.links, p.author
    from sorted s join post p on p.id = s.post_id where s.place <= ${SAMPLE_MOST} order by s.post_id`)
  const posts: SampledPost[] = []
  await inTurns(eachPost(rows, (row) => void posts.push(fromRow(row))))
  return { posts, whole: few && rows.every(({ of_sort }) => of_sort <= SAMPLE_MOST) }
}

function quickerByTime({ counts: { keyword, inWindow, workspaceInWindow } }: SampleSearch): boolean {
  return inWindow / Math.max(1, workspaceInWindow) > inWindow / Math.max(1, keyword)
}

function byPost({ workspaceId, keywordId }: SampleSearch): Statement<unknown> {
  return sql`select post_id, relevance, created_at from mention where workspace_id = ${workspaceId}
      and keyword_id = ${keywordId} order by post_id limit ${LOOKED_THROUGH}::int`
}

function byTime({ workspaceId, keywordId, start, end }: SampleSearch): Statement<unknown> {
  const step = (end.getTime() - start.getTime()) / SLICES
  const bounds = Array.from({ length: SLICES + 1 }, (_, slice) => firstUuidAt(plus(start, Math.round(slice * step))))
  return sql`
    select m.post_id, m.relevance, m.created_at
      from unnest(${bounds.slice(0, -1)}::uuid[], ${bounds.slice(1)}::uuid[]) as slice (first, last)
    cross join lateral (
      select keyword_id, post_id, relevance, created_at from mention
      where workspace_id = ${workspaceId} and id >= slice.first and id < slice.last order by id desc
        limit ${LOOKED_THROUGH / SLICES}::int) m
    where m.keyword_id = ${keywordId}`
}

function fromRow(row: SampleRow): SampledPost {
  const platform = platformFromNumber(row.platform)
  const searched = searchedTextOf({ platform, title: row.title, text: row.body, links: row.links, author: row.author })
  return {
    postId: row.post_id,
    relevant: row.relevant,
    // Computed once, because posts are replayed many times.
    searched: { ...searched, authorKeys: searched.authorKeys },
    text: [row.title, row.body].filter((text) => text).join('\n'),
    evidence: {
      relevant: row.relevant,
      platform,
      phrases: phrasesOf(row.title, row.body, tokens),
      author: row.author && sampleAuthorOf(platform, row.author),
    },
  }
}

export function splitOfStored(posts: readonly SampledPost[]): Split {
  const relevant = posts.filter((post) => post.relevant).length
  return { noise: posts.length - relevant, relevant }
}
