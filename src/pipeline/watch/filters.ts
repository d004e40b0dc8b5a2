import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { Deferred } from '../../kernel/concurrency/deferred.ts'
import { WorkLoop } from '../../kernel/concurrency/work-loop.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import {
  FILTERS_CHANNEL,
  filterSumOf,
  readFilterRevisions,
  readFilters,
  readFilterTotals,
} from '../../store/filter/workspace-filters.ts'
import { FilterBook } from './filter-book.ts'
import { FOLLOW_RETRY_MS } from './live-changes.ts'

export interface FilterOptions {
  db: Database
  clock: Clock
  log: Log
  signal: AbortSignal
}

/** Poll interval without notifications, since a connection can die unnoticed. */
const POLL_EVERY_MS = 20 * SECOND_MS
const READ_AT_ONCE = 20
const REVISIONS_AT_ONCE = 10_000

/**
 * The filters of every workspace, read at start and followed until `signal` is aborted. Reads are sequential, so that
 * none overtakes another.
 */
export class WatchedFilters {
  private readonly options: FilterOptions
  private readonly filters: FilterBook
  private readonly notified = new Set<Uuid>()
  private isPollDue = true
  private readonly loop: WorkLoop
  private readonly loading = new Deferred()
  readonly ended: Promise<void>

  constructor(options: FilterOptions) {
    this.options = options
    const { db, clock, log, signal } = options
    this.filters = new FilterBook(log)
    const onFailure = (error: unknown) =>
      log.error(
        { event: 'filter.follow_failed', err: error },
        'The filters of workspaces could not be followed; retrying',
      )
    const hasWork = () => this.notified.size > 0 || this.isPollDue
    this.loop = new WorkLoop({ clock, signal, hasWork, step: () => this.step(), onFailure, retryMs: FOLLOW_RETRY_MS })
    const onNotice = (payload: string) => this.note(payload)
    db.listen(FILTERS_CHANNEL, onNotice, () => this.poll(), signal)
    signal.addEventListener('abort', () => this.loading.resolve(), { once: true })
    this.ended = this.pollRepeatedly()
  }

  /** The filters as of the start are loaded. */
  get loaded(): Promise<void> {
    return this.loading.promise
  }

  /**
   * Null when no keyword is left. `dropped` gets the others. Filters run only on matched posts, so they do not slow the
   * match.
   */
  admitted(matched: MatchedPost | null, dropped?: (keyword: Wanting) => void): MatchedPost | null {
    if (matched === null || this.filters.isEmpty) return matched
    const { post, keywords } = matched
    const admits = this.filters.testOf(post)
    const admitted: Wanting[] = []
    for (const keyword of keywords) {
      if (admits(keyword.workspaceId)) admitted.push(keyword)
      else dropped?.(keyword)
    }
    if (admitted.length === keywords.length) return matched
    return admitted.length === 0 ? null : { ...matched, keywords: admitted }
  }

  private note(payload: string): void {
    if (UUID.test(payload)) this.notified.add(payload as Uuid)
    void this.loop.run()
  }

  private poll(): void {
    this.isPollDue = true
    void this.loop.run()
  }

  private async pollRepeatedly(): Promise<void> {
    const { clock, signal } = this.options
    await this.loop.run()
    while (!signal.aborted) {
      await clock.wait(POLL_EVERY_MS, signal)
      this.poll()
    }
  }

  private async step(): Promise<void> {
    const ids = [...this.notified]
    const polls = this.isPollDue
    this.notified.clear()
    this.isPollDue = false
    try {
      await this.read(ids)
      if (polls) await this.compare()
      if (polls) this.loading.resolve()
    } catch (error) {
      for (const id of ids) this.notified.add(id)
      this.isPollDue ||= polls
      throw error
    }
  }

  private async read(ids: readonly Uuid[]): Promise<void> {
    const { db, signal } = this.options
    for (let from = 0; from < ids.length && !signal.aborted; from += READ_AT_ONCE) {
      for (const filters of await readFilters(db, ids.slice(from, from + READ_AT_ONCE))) this.filters.put(filters)
    }
  }

  private async compare(): Promise<void> {
    const { revisions } = this.filters
    const totals = await readFilterTotals(this.options.db)
    const sum = [...revisions].reduce((sum, [id, revision]) => sum + filterSumOf(id, revision), 0)
    if (totals.count === revisions.size && totals.sum === sum) return
    const known = await allRevisions(this.options.db)
    for (const id of revisions.keys()) if (!known.has(id)) this.filters.forget(id)
    await this.read([...known].filter(([id, revision]) => revisions.get(id) !== revision).map(([id]) => id))
  }
}

const UUID = /^[0-9a-f-]{36}$/

async function allRevisions(db: Database): Promise<Map<Uuid, number>> {
  const known = new Map<Uuid, number>()
  for (let after: Uuid | null = null; ; ) {
    const portion: { workspaceId: Uuid; revision: number }[] = await readFilterRevisions(db, after, REVISIONS_AT_ONCE)
    for (const { workspaceId, revision } of portion) known.set(workspaceId, revision)
    if (portion.length < REVISIONS_AT_ONCE) return known
    after = portion.at(-1)!.workspaceId
  }
}
