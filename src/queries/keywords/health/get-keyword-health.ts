import { healthOf } from '../../../domain/keyword/health.ts'
import { healthReasons } from '../../../domain/keyword/health-reasons.ts'
import { capOf, type Keyword, type KeywordHealth } from '../../../domain/keyword/keyword.ts'
import { type ContextGround, type ShownPost, shownPosts } from '../../../domain/keyword/suggestions/context.ts'
import { type NoiseAuthor, noiseAuthorsOf } from '../../../domain/keyword/suggestions/noise-authors.ts'
import { liftOf, noiseTermsOf } from '../../../domain/keyword/suggestions/noise-terms.ts'
import { noisyPlatformsOf } from '../../../domain/keyword/suggestions/noisy-platforms.ts'
import { type Suggestion, suggestionsOf } from '../../../domain/keyword/suggestions/suggestion.ts'
import { withSharedPhrases } from '../../../domain/keyword/suggestions/terms.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { isRefusal, type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { MENTION } from '../../../domain/wallet/prices.ts'
import { MINUTE_MS } from '../../../kernel/clock.ts'
import { type Id, toId, type Uuid, uuidFromName } from '../../../kernel/ids.ts'
import { units } from '../../../kernel/money.ts'
import { tokens } from '../../../matching/index.ts'
import { sql } from '../../../store/database.ts'
import { type KeywordRow, keywordFromRow } from '../../../store/keyword/keywords.ts'
import type { GroupRef } from '../../mentions/mention-shape.ts'
import type { Reading } from '../../reading.ts'
import { type UsageRange, type UsageWindow, windowFrom } from '../../usage/window.ts'
import { type AiStatus, adviseOnContext } from './context-advice.ts'
import { Crowded, createFewAtOnce } from './few-at-once.ts'
import { inTurns } from './in-turns.ts'
import { createKept } from './kept.ts'
import { createReplay } from './replay.ts'
import { readSample, type StoredPost, splitOfStored } from './sample.ts'
import {
  instantsOf,
  readJudged,
  readWindowCounts,
  readWorkspaceCounts,
  type WindowCounts,
  type WorkspaceCounts,
} from './window.ts'

/** How a keyword fares, and what could be done about its noise. */
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

export interface HealthAsked {
  range: UsageRange
  /** Whether the language model is to be asked, too. */
  ai: boolean
}

/**
 * The report of one keyword. It is kept for five minutes, in which it is the same unless the keyword or what is written
 * about the company changes.
 */
export async function getKeywordHealth(
  reading: Reading,
  id: Uuid,
  { range, ai }: HealthAsked,
): Promise<KeywordHealthReport | Refusal<'not_found' | 'validation_error' | 'rate_limited'>> {
  const at = reading.clock.now()
  const window = windowFrom({ range }, at)
  if (isRefusal(window)) return window
  const known = await findKeyword(reading, id)
  if (known === null) return refuse('not_found', 'There is no keyword with this id')
  const key = uuidFromName(
    'health',
    reading.workspaceId,
    id,
    window.from,
    window.to,
    reading.billing,
    JSON.stringify(known.row),
  )
  const made = await reports.get(key, at, () => making(() => makeReport(reading, known, window, at))).catch(crowdedOut)
  if (isRefusal(made)) return made
  const { report, ground } = made
  if (!ai) return { ...report, ai: { requested: false, status: 'off' } }
  const { status, suggestion } = await adviseOnContext(reading, id, ground)
  return {
    ...report,
    suggestions: suggestion === null ? report.suggestions : [...report.suggestions, suggestion],
    ai: { requested: true, status },
  }
}

/** Only what the report suggests. */
export async function listSuggestions(
  reading: Reading,
  id: Uuid,
  asked: HealthAsked,
): Promise<{ data: Suggestion[] } | Refusal<'not_found' | 'validation_error' | 'rate_limited'>> {
  const report = await getKeywordHealth(reading, id, asked)
  return isRefusal(report) ? report : { data: report.suggestions }
}

const GOOD_FOR_MS = 5 * MINUTE_MS
const NOISE_TERMS_MOST = 10

/** Each holds up to some hundred posts and works on them for a part of a second. */
const making = createFewAtOnce({ atOnce: 2, waiting: 30 })

function crowdedOut(error: unknown): Refusal<'rate_limited'> {
  if (!(error instanceof Crowded)) throw error
  return refuse('rate_limited', 'So many reports are being made that this one cannot be. Try again in a moment.', {
    retryAfterSeconds: 10,
  })
}

interface Made {
  report: Omit<KeywordHealthReport, 'ai'>
  /** What the language model is asked with. */
  ground: ContextGround
}

const reports = createKept<Made>({ most: 500, goodForMs: GOOD_FOR_MS })
/** Shared by the reports of all keywords of a workspace. */
const workspaces = createKept<WorkspaceCounts>({ most: 2000, goodForMs: GOOD_FOR_MS })

/** A keyword with all that its report depends on beside posts and counters, which move on by themselves. */
interface Known {
  keyword: Keyword
  row: ReportedRow
}

interface ReportedRow extends KeywordRow {
  group_name: string
  external_id: string | null
  is_default: boolean
  group_context: string
  company_context: string | null
  welcome_limits: boolean
}

async function findKeyword({ db, workspaceId }: Reading, id: Uuid): Promise<Known | null> {
  const [row] = await db.query<ReportedRow>(sql`
    select k.*, g.name as group_name, g.external_id, g.is_default, g.context as group_context,
      o.context as company_context, w.welcome_limits
    from keyword k join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
      join workspace w on w.id = k.workspace_id
    left join company o on o.workspace_id = k.workspace_id
    where k.workspace_id = ${workspaceId} and k.id = ${id}`)
  return row ? { row, keyword: keywordFromRow(row) } : null
}

async function makeReport(reading: Reading, { keyword, row }: Known, window: UsageWindow, at: Date): Promise<Made> {
  const { db, workspaceId, billing } = reading
  const metered = billing === 'metered'
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
  const looked = await lookAt(keyword, counts, stored, metered)

  const status = healthOf(
    { ...keyword, scored: judged?.scored ?? counts.scored, relevant: judged?.relevant ?? counts.relevant },
    at,
  )
  const filtered = counts.scored - counts.relevant
  const shares = { noiseShare: noiseShareOf(counts), workspaceShare: noiseShareOf(workspace) }
  const { matches, relevant, unscored } = counts
  const reasons = healthReasons({
    ...{
      status,
      days: window.days,
      matches,
      relevant,
      filtered,
      unscored,
      judged,
      noisyPlatforms: looked.noisyPlatforms,
      ...shares,
    },
    muted: { byBalance: keyword.pausedForBalance, byNoise: keyword.pausedForNoise },
    monthlyLimit: capOf(keyword.capOwn, metered && row.welcome_limits)?.mentions ?? null,
  })
  return {
    report: {
      keyword: {
        id: toId('kw', keyword.id),
        term: keyword.term,
        group: {
          id: toId('grp', keyword.groupId),
          name: row.group_name,
          externalId: row.external_id,
          isDefault: row.is_default,
        },
      },
      window,
      status,
      reasons,
      stats: {
        ...{ matches, relevant, filtered, unscored, ...shares },
        judgedSince: judged?.since ?? null,
        byPlatform: counts.byPlatform.map((one) => ({
          platform: one.platform,
          matches: one.matches,
          relevant: one.relevant,
          filtered: one.scored - one.relevant,
          noiseShare: noiseShareOf(one),
        })),
        weekly: counts.weekly,
        cost: counts.cost,
      },
      sample: looked.sample,
      noiseTerms: looked.noiseTerms,
      noiseAuthors: looked.noiseAuthors,
      suggestions: looked.suggestions,
      generatedAt: at.toISOString(),
    },
    ground: {
      term: keyword.term,
      context: keyword.context,
      company: row.group_context || row.company_context || null,
      noise: shownOf(looked.posts, false),
      relevant: shownOf(looked.posts, true),
    },
  }
}

async function countMentions({ db, workspaceId }: Reading, keywordId: Uuid): Promise<number> {
  const [row] = await db.query<{ mentions: number }>(
    sql`select mentions from keyword_counter where workspace_id = ${workspaceId} and keyword_id = ${keywordId}`,
  )
  return row?.mentions ?? 0
}

/** Null where nothing was scored. */
function noiseShareOf({ scored, relevant }: { scored: number; relevant: number }): number | null {
  return scored === 0 ? null : (scored - relevant) / scored
}

/**
 * What the posts themselves tell. Those that the present rules would no longer admit tell nothing of what is to be done
 * now.
 */
async function lookAt(
  keyword: Keyword,
  counts: WindowCounts,
  stored: Awaited<ReturnType<typeof readSample>>,
  metered: boolean,
) {
  const replayOf = (some: readonly StoredPost[]) =>
    createReplay(
      keyword,
      some.map(({ searched }) => searched),
    )
  const admits = await inTurns(replayOf(stored.posts)({}))
  const posts = stored.posts.filter((_, at) => admits[at])
  const evidence = await inTurns(withSharedPhrases(posts.map((post) => post.evidence)))
  const [sample, read] = [splitOfStored(posts), splitOfStored(stored.posts)]
  const share = (sort: 'noise' | 'relevant') => (read[sort] === 0 ? 0 : sample[sort] / read[sort])
  const termWords = tokens(keyword.term)
  const ground = {
    termWords,
    rules: keyword,
    posts: evidence,
    replay: replayOf(posts),
    window: {
      noise: share('noise') * (counts.scored - counts.relevant),
      relevant: share('relevant') * counts.relevant,
    },
    exact: stored.whole,
    price: metered ? MENTION : units(0),
  }
  const noiseTerms = await inTurns(noiseTermsOf(evidence, termWords, NOISE_TERMS_MOST))
  return {
    posts,
    sample,
    noiseTerms: noiseTerms.map(({ phrase, noise, relevant }) => ({
      term: phrase.text,
      noisePosts: noise,
      relevantPosts: relevant,
      lift: liftOf({ noise, relevant }, sample),
    })),
    noiseAuthors: noiseAuthorsOf(evidence),
    noisyPlatforms: noisyPlatformsOf(evidence),
    suggestions: await inTurns(suggestionsOf(ground)),
  }
}

function shownOf(posts: readonly StoredPost[], relevant: boolean): ShownPost[] {
  return shownPosts(
    posts
      .filter((post) => post.relevant === relevant)
      .map(({ text, evidence }) => ({ platform: evidence.platform, text })),
  )
}
