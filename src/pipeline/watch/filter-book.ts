import { EVERY_PLATFORM_BIT } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { objectionToPlace, type PlaceFilters } from '../../domain/workspace/filters.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { createListsBook } from '../../matching/index.ts'
import type { StoredFilters } from '../../store/filter/workspace-filters.ts'

export class FilterBook {
  private readonly log: Log
  private readonly lists = createListsBook()
  private readonly places = new Map<Uuid, PlaceFilters>()
  private readonly known = new Map<Uuid, number>()

  constructor(log: Log) {
    this.log = log
  }

  get revisions(): ReadonlyMap<Uuid, number> {
    return this.known
  }

  get isEmpty(): boolean {
    return this.lists.size + this.places.size === 0
  }

  put(filters: StoredFilters): void {
    const { workspaceId, excludedTerms, excludedAuthorKeys: excludedAuthors } = filters
    this.known.set(workspaceId, filters.revision)
    this.setPlaces(filters)
    this.lists.remove(workspaceId)
    if (excludedTerms.length + excludedAuthors.length > 0) this.putLists(workspaceId, excludedTerms, excludedAuthors)
  }

  forget(workspaceId: Uuid): void {
    this.known.delete(workspaceId)
    this.places.delete(workspaceId)
    this.lists.remove(workspaceId)
  }

  /** The post's text is parsed at most once, and only for a list. */
  testOf(post: Post): (workspaceId: Uuid) => boolean {
    const { lists, places } = this
    let isRead = false
    return (workspaceId) => {
      const place = places.get(workspaceId)
      if (place !== undefined && objectionToPlace(place, post) !== null) return false
      if (!lists.has(workspaceId)) return true
      if (!isRead) lists.read(searchedTextOf(post))
      isRead = true
      return lists.judge(workspaceId) === 'accepted'
    }
  }

  private putLists(workspaceId: Uuid, excludedTerms: readonly string[], excludedAuthors: readonly string[]): void {
    try {
      this.lists.put(workspaceId, {
        term: '',
        caseSensitive: false,
        requiredTerms: [],
        requiredMode: 'any',
        excludedTerms,
        excludedAuthors,
        scopes: EVERY_PLATFORM_BIT,
      })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.log.error(
        { event: 'filter.invalid', err: error, workspace: workspaceId },
        'The filters of a workspace are invalid and are left out',
      )
    }
  }

  private setPlaces({ workspaceId, excludedRepos, subredditsOnly, subredditsExcluded }: StoredFilters): void {
    if (excludedRepos.length + subredditsOnly.length + subredditsExcluded.length === 0) this.places.delete(workspaceId)
    else
      this.places.set(workspaceId, {
        excludedRepos: new Set(excludedRepos),
        only: new Set(subredditsOnly),
        excluded: new Set(subredditsExcluded),
      })
  }
}
