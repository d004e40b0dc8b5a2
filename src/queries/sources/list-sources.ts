import type { Platform } from '../../domain/platform/platforms.ts'
import type { MissingSetting } from '../../domain/source/missing-setting.ts'
import { MONEY } from '../../domain/source/money.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { readSourceStates, type SourceState } from '../../store/source/source-state.ts'
import type { PlatformSetup, QueryContext } from '../reading.ts'
import { readSpending, type Spending } from './spending.ts'

export const SOURCE_MODES = ['live', 'search', 'reviews'] as const
export const SOURCE_STATUSES = ['ready', 'needs_configuration', 'degraded', 'off'] as const
export type SourceStatus = (typeof SOURCE_STATUSES)[number]

export interface SourceView {
  platform: Platform
  mode: PlatformSetup['mode']
  status: SourceStatus
  /** Names of required settings that are missing. */
  missing: string[]
  missingSettings: MissingSetting[]
  /** Age of the newest post read. */
  lagSeconds: number | null
  lastSuccessAt: string | null
  /** Null after a success. */
  lastError: string | null
  cost: {
    /** Dollars spent today, and the daily limit. */
    usd: number
    usdLimit: number | null
    quotas: { name: string; used: number; limit: number | null }[]
  }
}

const MICRO = 1_000_000

/** Failures in a row that count as degraded. */
const FAILURES = 3
/** Poll intervals without success that count as degraded, at least the time below. */
const INTERVALS = 4
const SHORTEST_SILENCE_MS = 5 * MINUTE_MS

/** Setup, state and today's cost of every platform, for callers and operators. */
export async function listSources({
  db,
  clock,
  sources,
}: Pick<QueryContext, 'db' | 'clock' | 'sources'>): Promise<SourceView[]> {
  const at = clock.now()
  const states = new Map((await readSourceStates(db)).map((state) => [state.source, state]))
  const spending = await readSpending(db, sources.setups, at)
  return sources.setups.map((setup) => {
    const { platform, mode, missing } = setup
    const state = states.get(platform)
    return {
      platform,
      mode,
      status: sourceStatusOf(setup, state, at),
      missing: missing.map(({ name }) => name),
      missingSettings: [...missing],
      lagSeconds: state?.newestAt
        ? Math.max(0, Math.round((at.getTime() - state.newestAt.getTime()) / SECOND_MS))
        : null,
      lastSuccessAt: state?.lastSuccessAt?.toISOString() ?? null,
      lastError: state && state.failures > 0 && state.lastError !== null ? sentenceFor(state.lastError) : null,
      cost: costOf(spending.filter((item) => item.platform === platform)),
    }
  })
}

export function sourceStatusOf(
  { off, source }: Pick<PlatformSetup, 'off' | 'source'>,
  state: SourceState | undefined,
  at: Date,
): SourceStatus {
  if (off) return 'off'
  if (source === null) return 'needs_configuration'
  if (state === undefined) return 'ready'
  // Rejected credentials do not recover, and are retried too rarely to be counted.
  if (state.failures >= FAILURES || (state.failures > 0 && state.lastError?.startsWith('credentials:')))
    return 'degraded'
  const { lastSuccessAt, failures } = state
  // Other platforms may have no work, so silence counts only after a failure.
  const isFeed = source.mode === 'live' || source.mode === 'stream'
  if (lastSuccessAt === null || (!isFeed && failures === 0)) return 'ready'
  const silenceMs = Math.max(SHORTEST_SILENCE_MS, INTERVALS * (source.pollSeconds ?? 0) * SECOND_MS)
  return at.getTime() - lastSuccessAt.getTime() > silenceMs ? 'degraded' : 'ready'
}

/** A stored error begins with its kind. The rest may contain addresses or key details and is for the log only. */
export function sentenceFor(error: string): string {
  return SENTENCES.get(error.split(':')[0] ?? '') ?? UNKNOWN
}

const UNKNOWN = 'Collecting failed.'
const SENTENCES = new Map([
  ['throttled', 'The platform was asked as often as it allows.'],
  ['unavailable', 'The platform could not be reached or did not answer in time.'],
  ['credentials', 'The platform does not accept the credentials.'],
  ['shape_changed', 'The platform answered in a form that is not understood.'],
  ['gone', 'What was asked for is no longer there.'],
  ['stream', 'The post stream could not be used.'],
  ['database', 'The database could not be reached.'],
  ['defect', 'The service failed.'],
])

function costOf(spending: readonly Spending[]): SourceView['cost'] {
  const money = spending.find(({ quota }) => quota === MONEY)
  return {
    usd: (money?.spent ?? 0) / MICRO,
    usdLimit: money?.most == null ? null : money.most / MICRO,
    quotas: spending
      .filter(({ quota }) => quota !== MONEY)
      .map(({ quota, spent, most }) => ({ name: quota, used: spent, limit: most })),
  }
}
