/**
 * Platforms whose people write alike, for the classifier: what it learned of one of them counts for all of its family.
 */
export type WritingFamily = 'social' | 'developer' | 'reviews' | 'forum' | 'news'

/** How people write on a platform, as far as the classifier tells platforms apart. */
export interface Writing {
  readonly family: WritingFamily
  /** Where people write for other purposes than in the rest of the family; null where they do not. */
  readonly venue: 'video' | 'shop' | 'hackernews' | null
  /** True where nearly everything is English. */
  readonly mostlyEnglish: boolean
}

interface CommonFacts {
  /** The small number under which a platform is stored and kept in bit sets, 0 to 30. It never changes. */
  readonly number: number
  /** What people call the platform. */
  readonly name: string
  readonly writing: Writing
}

/** A platform whose whole feed arrives over a connection that is held open. */
export interface LiveFacts extends CommonFacts {
  readonly mode: 'live'
  readonly readsWholeFeed: true
  readonly pollSeconds: null
  readonly longestLookBackDays: null
}

interface PolledFacts extends CommonFacts {
  /** Seconds between two polls of the feed, of one term or of one page, unless the operator says otherwise. */
  readonly pollSeconds: number
  /** Days before which the platform or its providers bring nothing; null where a new keyword may look back as usual. */
  readonly longestLookBackDays: number | null
}

/** A platform that is asked at intervals for posts. */
export interface SearchFacts extends PolledFacts {
  readonly mode: 'search'
  /** True where everything is read, for all keywords at once; false where the platform is asked for each term. */
  readonly readsWholeFeed: boolean
}

/** A platform whose review pages are read at intervals. */
export interface ReviewFacts extends PolledFacts {
  readonly mode: 'reviews'
  readonly readsWholeFeed: false
}

/** Everything that the service knows of a platform outside its adapter. A missing fact does not compile. */
export type PlatformFacts = LiveFacts | SearchFacts | ReviewFacts
