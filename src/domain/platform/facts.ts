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

/** Only the platform knows what stands behind a link. */
export interface NeedsResolving {
  readonly needsResolving: true
}

/**
 * Whom a link names: the person's profile link in its normal form; or that only the platform knows the person; or why
 * it is nobody, for people to read.
 */
export type AuthorInLink = string | NeedsResolving | { readonly invalid: string }

/** How the links of a platform's people and posts are read. */
export interface LinkFacts {
  /** True of an address of this platform. The host stands without `www.`; no two platforms own the same address. */
  owns(host: string, url: URL): boolean
  /** Whom a link of the platform names. */
  authorIn(url: URL, host: string): AuthorInLink
  /** Whom a text names that is no link, in a form that only this platform has; null when it is of no such form. */
  authorInText?(text: string): AuthorInLink | null
  /** The profile link that follows from a handle, and from an id; null where none does. Any form will do. */
  readonly profileOfHandle: ((handle: string) => string) | null
  readonly profileOfId: ((id: string) => string) | null
  /** Every normal form under which the person behind a profile link may stand; the link alone when absent. */
  aliasesOf?(profile: string): string[]
  /**
   * The native id of a post in its link: of the comment, where a link names a comment on a post. Null where links hold
   * no id.
   */
  readonly postIdIn: ((url: URL, segments: readonly string[]) => string | null | undefined) | null
}

/** What handles look like where an id may stand for a person who is known by a handle. */
export interface HandleForm {
  isHandle(name: string): boolean
  /** What stands before the handle in the link of a profile, and what before an id. */
  readonly profile: string
  readonly byId: string
}

interface CommonFacts {
  /** The small number under which a platform is stored and kept in bit sets, 0 to 30. It never changes. */
  readonly number: number
  /** What people call the platform. */
  readonly name: string
  readonly writing: Writing
  readonly links: LinkFacts
  /** Null unless posts, as they are matched, may carry nothing of a person but an id behind which there is a handle. */
  readonly handles: HandleForm | null
}

/** Facts of a platform where ids stand for handles. */
export interface WithHandles {
  readonly handles: HandleForm
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

/** A review page as a link names it; `id` in any form that people write. */
export interface PageInLink {
  readonly id: string | null | undefined
  readonly country?: string | null
  readonly language?: string | null
}

/** The review pages of a platform, and how their links are read. */
export interface PageFacts {
  /** True of an address where pages of this platform may stand. The host stands as it is written. */
  owns(host: string, url: URL): boolean
  /** The page that a link leads to; null when it leads to none. */
  pageIn(url: URL): PageInLink | NeedsResolving | null
  /** An id as it is stored, from an id as people may write it; null when the platform has no such ids. */
  storedId(text: string): string | null
  /** The address of a page in its one form; `country` counts where the address names the storefront. */
  urlOf(id: string, country: string | null): string
  /** True where pages differ by storefront, and where they are read in one language. */
  readonly hasCountries: boolean
  readonly hasLanguage: boolean
}

/** A platform whose review pages are read at intervals. */
export interface ReviewFacts extends PolledFacts {
  readonly mode: 'reviews'
  readonly readsWholeFeed: false
  readonly page: PageFacts
}

/** Everything that the service knows of a platform outside its adapter. A missing fact does not compile. */
export type PlatformFacts = LiveFacts | SearchFacts | ReviewFacts
