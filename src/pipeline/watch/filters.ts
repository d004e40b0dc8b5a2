import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import { PLATFORMS, platformNumber } from '../../domain/platform/platforms.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { objectionToPlace, type PlaceFilters } from '../../domain/workspace/filters.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { createListsBook } from '../../matching/index.ts'
import type { Database } from '../../store/database.ts'
import {
  FILTERS_CHANNEL,
  filterSumOf,
  readFilterRevisions,
  readFilters,
  readFilterTotals,
  type StoredFilters,
} from '../../store/filter/workspace-filters.ts'
import { RETRY_MS } from './live-changes.ts'

/** The filters of every workspace, kept current: what posts that matched a keyword have to pass as well. */
export interface WatchedFilters {
  /**
   * The post for those of its keywords whose workspaces' filters admit it; null when there are none. `dropped` is told
   * of each of the others. The filters of a workspace are asked only for posts that matched, so the way of all posts is
   * as short as it would be without any.
   */
  admitted(matched: MatchedPost | null, dropped?: (keyword: Wanting) => void): MatchedPost | null
  /** Resolves when the filters that the database had at the start are here. */
  readonly loaded: Promise<void>
  /** Resolves after the signal, when nothing is read any more. */
  readonly ended: Promise<void>
}

export interface FilterOptions {
  db: Database
  clock: Clock
  log: Log
  signal: AbortSignal
}

/**
 * Everything is compared this often although nothing was heard: a connection can be dead without anybody being told.
 */
const LOOK_EVERY_MS = 20 * SECOND_MS
/** Filters may be long. */
const READ_AT_ONCE = 20
const REVISIONS_AT_ONCE = 10_000
const EVERYWHERE = PLATFORMS.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)

/** Reads all filters and follows their changes until `signal` is aborted. */
export function followFilters({ db, clock, log, signal }: FilterOptions): WatchedFilters {
  const lists = createListsBook()
  const places = new Map<Uuid, PlaceFilters>()
  const revisions = new Map<Uuid, number>()
  /** Workspaces that have to be read, because somebody told of a change. */
  const heard = new Set<Uuid>()
  let lookWanted = true
  let running = false
  let isLoaded: () => void = () => undefined
  const loaded = new Promise<void>((resolve) => {
    isLoaded = resolve
  })

  const put = (filters: StoredFilters) => {
    revisions.set(filters.workspaceId, filters.revision)
    setPlaces(places, filters)
    const { excludedTerms, excludedAuthorKeys: excludedAuthors } = filters
    lists.remove(filters.workspaceId)
    if (excludedTerms.length + excludedAuthors.length === 0) return
    const rules = {
      term: '',
      caseSensitive: false,
      requiredTerms: [],
      requiredMode: 'any' as const,
      excludedTerms,
      excludedAuthors,
      scopes: EVERYWHERE,
    }
    try {
      lists.put(filters.workspaceId, rules)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      log.error(
        { err: error, workspace: filters.workspaceId },
        'the filters of a workspace cannot be used and are left out',
      )
    }
  }
  const forget = (workspaceId: Uuid) => {
    revisions.delete(workspaceId)
    places.delete(workspaceId)
    lists.remove(workspaceId)
  }
  const read = async (ids: readonly Uuid[]) => {
    for (let from = 0; from < ids.length && !signal.aborted; from += READ_AT_ONCE) {
      for (const filters of await readFilters(db, ids.slice(from, from + READ_AT_ONCE))) put(filters)
    }
  }
  const compare = async () => {
    const totals = await readFilterTotals(db)
    const sum = [...revisions].reduce((sum, [id, revision]) => sum + filterSumOf(id, revision), 0)
    if (totals.count === revisions.size && totals.sum === sum) return
    const known = await allRevisions(db)
    for (const id of revisions.keys()) if (!known.has(id)) forget(id)
    await read([...known].filter(([id, revision]) => revisions.get(id) !== revision).map(([id]) => id))
  }
  // One reading at a time, so that none overtakes another.
  const run = async () => {
    if (running) return
    running = true
    while (!signal.aborted && (heard.size > 0 || lookWanted)) {
      const ids = [...heard]
      const looks = lookWanted
      heard.clear()
      lookWanted = false
      try {
        await read(ids)
        if (looks) await compare()
        if (looks) isLoaded()
      } catch (error) {
        if (signal.aborted) break
        for (const id of ids) heard.add(id)
        lookWanted ||= looks
        log.error({ err: error }, 'could not follow the filters of workspaces; trying again')
        await clock.wait(RETRY_MS, signal)
      }
    }
    running = false
  }
  const look = () => {
    lookWanted = true
    void run()
  }
  db.listen(
    FILTERS_CHANNEL,
    (payload) => {
      if (UUID.test(payload)) heard.add(payload as Uuid)
      void run()
    },
    look,
    signal,
  )
  signal.addEventListener('abort', () => isLoaded(), { once: true })
  const looking = async () => {
    await run()
    while (!signal.aborted) {
      await clock.wait(LOOK_EVERY_MS, signal)
      look()
    }
  }
  return {
    admitted(matched, dropped) {
      if (matched === null || lists.size + places.size === 0) return matched
      const { post, keywords } = matched
      let isRead = false
      const admits = (workspaceId: Uuid): boolean => {
        const place = places.get(workspaceId)
        if (place !== undefined && objectionToPlace(place, post) !== null) return false
        if (!lists.has(workspaceId)) return true
        if (!isRead) lists.read(searchedTextOf(post))
        isRead = true
        return lists.judge(workspaceId) === 'accepted'
      }
      const admitted: Wanting[] = []
      for (const keyword of keywords) {
        if (admits(keyword.workspaceId)) admitted.push(keyword)
        else dropped?.(keyword)
      }
      if (admitted.length === keywords.length) return matched
      return admitted.length === 0 ? null : { ...matched, keywords: admitted }
    },
    loaded,
    ended: looking(),
  }
}

const UUID = /^[0-9a-f-]{36}$/

function setPlaces(
  places: Map<Uuid, PlaceFilters>,
  { workspaceId, excludedRepos, subredditsOnly, subredditsExcluded }: StoredFilters,
): void {
  if (excludedRepos.length + subredditsOnly.length + subredditsExcluded.length === 0) places.delete(workspaceId)
  else
    places.set(workspaceId, {
      excludedRepos: new Set(excludedRepos),
      only: new Set(subredditsOnly),
      excluded: new Set(subredditsExcluded),
    })
}

async function allRevisions(db: Database): Promise<Map<Uuid, number>> {
  const known = new Map<Uuid, number>()
  for (let after: Uuid | null = null; ; ) {
    const portion: { workspaceId: Uuid; revision: number }[] = await readFilterRevisions(db, after, REVISIONS_AT_ONCE)
    for (const { workspaceId, revision } of portion) known.set(workspaceId, revision)
    if (portion.length < REVISIONS_AT_ONCE) return known
    after = portion.at(-1)!.workspaceId
  }
}
