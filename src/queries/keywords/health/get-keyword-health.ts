import type { Suggestion } from '../../../domain/keyword/suggestions/suggestion.ts'
import { isRefusal, type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { QueueFull, Semaphore } from '../../../kernel/concurrency/semaphore.ts'
import { type Uuid, uuidFromName } from '../../../kernel/ids.ts'
import { sql } from '../../../store/database.ts'
import { keywordFromRow } from '../../../store/keyword/keywords.ts'
import type { QueryContext } from '../../reading.ts'
import { type UsageRange, windowFrom } from '../../usage/window.ts'
import { type Advising, adviseOnContext } from './context-advice.ts'
import {
  GOOD_FOR_MS,
  type KeywordHealthReport,
  type KnownHealth,
  type Made,
  makeReport,
  type ReportedRow,
} from './make-report.ts'
import { createReportCache } from './report-cache.ts'

export interface HealthRequest {
  range: UsageRange
  /** Whether to ask the language model too. */
  ai: boolean
}

/** The report of a keyword, cached for five minutes unless the keyword or the company profile changes. */
export async function getKeywordHealth(
  reading: Advising,
  id: Uuid,
  { range, ai }: HealthRequest,
): Promise<KeywordHealthReport | Refusal<'not_found' | 'validation_error' | 'rate_limited'>> {
  const at = reading.clock.now()
  const window = windowFrom({ range }, at)
  if (isRefusal(window)) return window
  const known = await findKeyword(reading, id)
  if (known === null) return refuse('not_found', 'This workspace has no keyword with this id.')
  const key = uuidFromName(
    'health',
    reading.workspaceId,
    id,
    window.from,
    window.to,
    reading.billing,
    JSON.stringify(known.row),
  )
  const made = await reports
    .get(key, at, () => making.run(() => makeReport(reading, known, window, at)))
    .catch(crowdedOut)
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

export async function listSuggestions(
  reading: Advising,
  id: Uuid,
  asked: HealthRequest,
): Promise<{ data: Suggestion[] } | Refusal<'not_found' | 'validation_error' | 'rate_limited'>> {
  const report = await getKeywordHealth(reading, id, asked)
  return isRefusal(report) ? report : { data: report.suggestions }
}

/** A report reads some hundred posts and computes for a fraction of a second. */
const making = new Semaphore(2, 30)

function crowdedOut(error: unknown): Refusal<'rate_limited'> {
  if (!(error instanceof QueueFull)) throw error
  return refuse('rate_limited', 'Too many reports are being made. Try again in a moment.', {
    retryAfterSeconds: 10,
  })
}

const reports = createReportCache<Made>({ most: 500, goodForMs: GOOD_FOR_MS })
async function findKeyword({ db, workspaceId }: QueryContext, id: Uuid): Promise<KnownHealth | null> {
  const [row] = await db.query<ReportedRow>(sql`
    select k.*, g.name as group_name, g.external_id, g.is_default, g.context as group_context,
      o.context as company_context, w.welcome_limits
    from keyword k join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
      join workspace w on w.id = k.workspace_id
    left join company o on o.workspace_id = k.workspace_id
    where k.workspace_id = ${workspaceId} and k.id = ${id}`)
  return row ? { row, keyword: keywordFromRow(row) } : null
}
