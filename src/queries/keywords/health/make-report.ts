import { healthOf } from '../../../domain/keyword/health.ts'
import { healthReasons } from '../../../domain/keyword/health-reasons.ts'
import { capOf, type Keyword, type KeywordHealth } from '../../../domain/keyword/keyword.ts'
import { type ContextGround, type ShownPost, shownPosts } from '../../../domain/keyword/suggestions/context.ts'
import type { NoiseAuthor } from '../../../domain/keyword/suggestions/noise-authors.ts'
import type { Suggestion } from '../../../domain/keyword/suggestions/suggestion.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { MINUTE_MS } from '../../../kernel/clock.ts'
import { type Id, toId, type Uuid } from '../../../kernel/ids.ts'
import { sql } from '../../../store/database.ts'
import type { KeywordRow } from '../../../store/keyword/keywords.ts'
import type { GroupRef } from '../../mentions/mention-shape.ts'
import type { QueryContext } from '../../reading.ts'
import type { UsageWindow } from '../../usage/window.ts'
import type { AiStatus } from './context-advice.ts'
import { createReportCache } from './report-cache.ts'
import { readSample, type SampledPost } from './sample.ts'
import { type SampledPosts, type StoredSample, samplePosts } from './sample-posts.ts'
import {
  instantsOf,
  readJudged,
  readWindowCounts,
  readWorkspaceCounts,
  type WindowCounts,
  type WorkspaceCounts,
} from './window.ts'

export interface KeywordHealthReport {
  keyword: { id: Id<'kw'>; term: string; group: GroupRef }
  window: UsageWindow
  status: KeywordHealth
  reasons: string[]
  stats: {
    matches: number
    relevant: number
    filtered: number
    unscored: number
    noiseShare: number | null
    workspaceShare: number | null
    judgedSince: string | null
    byPlatform: { platform: Platform; matches: number; relevant: number; filtered: number; noiseShare: number | null }[]
    weekly: { from: string; matches: number; relevant: number }[]
    cost: WindowCounts['cost']
  }
  sample: { noise: number; relevant: number }
  noiseTerms: { term: string; noisePosts: number; relevantPosts: number; lift: number | null }[]
  noiseAuthors: NoiseAuthor[]
  suggestions: Suggestion[]
  ai: { requested: boolean; status: AiStatus }
  generatedAt: string
}

export interface Made {
  report: Omit<KeywordHealthReport, 'ai'>
  /** The question for the language model. */
  ground: ContextGround
}

/** What invalidates a cached report, besides posts and counters. */
export interface KnownHealth {
  keyword: Keyword
  row: ReportedRow
}

export interface ReportedRow extends KeywordRow {
  group_name: string
  external_id: string | null
  is_default: boolean
  group_context: string
  company_context: string | null
  welcome_limits: boolean
}

/** TTL of reports and shared counts. */
export const GOOD_FOR_MS = 5 * MINUTE_MS

/** Shared by all keywords of a workspace. */
const workspaces = createReportCache<WorkspaceCounts>({ most: 2000, goodForMs: GOOD_FOR_MS })

export async function makeReport(
  reading: QueryContext,
  known: KnownHealth,
  window: UsageWindow,
  at: Date,
): Promise<Made> {
  const { keyword } = known
  const read = await readForReport(reading, keyword, window, at)
  const looked = await samplePosts(keyword, read.counts, read.stored, reading.billing === 'metered')
  return {
    report: {
      ...shownKeyword(known),
      window,
      ...judgedHealth(reading, known, { ...read, window, noisyPlatforms: looked.noisyPlatforms, at }),
      stats: statsOf(read),
      sample: looked.sample,
      noiseTerms: looked.noiseTerms,
      noiseAuthors: looked.noiseAuthors,
      suggestions: looked.suggestions,
      generatedAt: at.toISOString(),
    },
    ground: groundOf(known, looked.posts),
  }
}

interface ReadForReport {
  counts: WindowCounts
  workspace: WorkspaceCounts
  /** Counts since a change of the keyword within the window; null without one. */
  judged: ({ since: string } & Awaited<ReturnType<typeof readJudged>>) | null
  stored: StoredSample
}

async function readForReport(
  reading: QueryContext,
  keyword: Keyword,
  window: UsageWindow,
  at: Date,
): Promise<ReadForReport> {
  const { db, workspaceId } = reading
  const counts = await readWindowCounts(db, workspaceId, keyword.id, window)
  const workspace = await workspaces.get(`${workspaceId} ${window.from} ${window.to}`, at, () =>
    readWorkspaceCounts(db, workspaceId, window),
  )
  const { start, end } = instantsOf(window)
  const changed = keyword.judgedSince > start && keyword.judgedSince > keyword.createdAt
  const judged = changed
    ? { since: keyword.judgedSince.toISOString(), ...(await readJudged(db, workspaceId, keyword, window, at)) }
    : null
  const stored = await readSample(db, {
    workspaceId,
    keywordId: keyword.id,
    start,
    end,
    counts: {
      keyword: await countMentions(reading, keyword.id),
      inWindow: counts.matches,
      workspaceInWindow: workspace.matches,
    },
  })
  return { counts, workspace, judged, stored }
}

async function countMentions({ db, workspaceId }: QueryContext, keywordId: Uuid): Promise<number> {
  const [row] = await db.query<{ mentions: number }>(sql`
    select c.mentions - coalesce(e.mentions, 0) as mentions from keyword_counter c
    left join keyword_expired e using (workspace_id, keyword_id)
    where c.workspace_id = ${workspaceId} and c.keyword_id = ${keywordId}`)
  return row?.mentions ?? 0
}

function judgedHealth(
  { billing }: QueryContext,
  { keyword, row }: KnownHealth,
  {
    counts,
    workspace,
    judged,
    window,
    noisyPlatforms,
    at,
  }: ReadForReport & { window: UsageWindow; noisyPlatforms: SampledPosts['noisyPlatforms']; at: Date },
): { status: KeywordHealth; reasons: string[] } {
  const { matches, relevant, unscored } = counts
  const scored = { scored: judged?.scored ?? counts.scored, relevant: judged?.relevant ?? relevant }
  const status = healthOf({ ...keyword, ...scored }, at)
  const reasons = healthReasons({
    status,
    days: window.days,
    ...{ matches, relevant, filtered: counts.scored - relevant, unscored, judged, noisyPlatforms },
    ...sharesOf(counts, workspace),
    muted: { byBalance: keyword.pausedForBalance, byNoise: keyword.pausedForNoise },
    monthlyLimit: capOf(keyword.capOwn, billing === 'metered' && row.welcome_limits)?.mentions ?? null,
  })
  return { status, reasons }
}

function shownKeyword({ keyword, row }: KnownHealth): Pick<KeywordHealthReport, 'keyword'> {
  const group = {
    id: toId('grp', keyword.groupId),
    name: row.group_name,
    externalId: row.external_id,
    isDefault: row.is_default,
  }
  return { keyword: { id: toId('kw', keyword.id), term: keyword.term, group } }
}

function statsOf({ counts, workspace, judged }: ReadForReport): KeywordHealthReport['stats'] {
  const { matches, relevant, unscored, weekly, cost } = counts
  return {
    ...{ matches, relevant, filtered: counts.scored - relevant, unscored, ...sharesOf(counts, workspace) },
    judgedSince: judged?.since ?? null,
    byPlatform: counts.byPlatform.map((ofPlatform) => ({
      platform: ofPlatform.platform,
      matches: ofPlatform.matches,
      relevant: ofPlatform.relevant,
      filtered: ofPlatform.scored - ofPlatform.relevant,
      noiseShare: noiseShareOf(ofPlatform),
    })),
    weekly,
    cost,
  }
}

function sharesOf(counts: WindowCounts, workspace: WorkspaceCounts) {
  return { noiseShare: noiseShareOf(counts), workspaceShare: noiseShareOf(workspace) }
}

function noiseShareOf({ scored, relevant }: { scored: number; relevant: number }): number | null {
  return scored === 0 ? null : (scored - relevant) / scored
}

function groundOf({ keyword, row }: KnownHealth, posts: readonly SampledPost[]): ContextGround {
  return {
    term: keyword.term,
    context: keyword.context,
    company: row.group_context || row.company_context || null,
    noise: shownOf(posts, false),
    relevant: shownOf(posts, true),
  }
}

function shownOf(posts: readonly SampledPost[], relevant: boolean): ShownPost[] {
  return shownPosts(
    posts
      .filter((post) => post.relevant === relevant)
      .map(({ text, evidence }) => ({ platform: evidence.platform, text })),
  )
}
