/** What the classifier learns of one platform counts for its family. */
export type WritingFamily = 'social' | 'developer' | 'reviews' | 'forum' | 'news'

export interface WritingForm {
  readonly family: WritingFamily
  /** A platform whose purpose differs from its family's; else null. */
  readonly venue: 'video' | 'shop' | 'hackernews' | null
  readonly mostlyEnglish: boolean
}

/** Only the platform can resolve the link. */
export interface NeedsResolving {
  readonly needsResolving: true
}

/**
 * The person's normalised profile link, or that only the platform can resolve it, or why it names nobody, for people.
 */
export type AuthorInLink = string | NeedsResolving | { readonly invalid: string }

export interface LinkFacts {
  /** Whether the address is the platform's. `host` has no `www.`; no two platforms own one address. */
  owns(host: string, url: URL): boolean
  authorIn(url: URL, host: string): AuthorInLink
  /** A person named in a form that only this platform has and that is not a link; else null. */
  authorInText?(text: string): AuthorInLink | null
  /** The profile link for a handle or an id, in any form; null without one. */
  readonly profileOfHandle: ((handle: string) => string) | null
  readonly profileOfId: ((id: string) => string) | null
  /** Every normal form of a profile link; only the link itself when absent. */
  aliasesOf?(profile: string): string[]
  /** The native id in a post's link, of the comment where it names one. Null where links have no id. */
  readonly postIdIn: ((url: URL, segments: readonly string[]) => string | null | undefined) | null
}

export interface HandleForm {
  isHandle(name: string): boolean
  /** The prefixes of a profile link before a handle and before an id. */
  readonly profile: string
  readonly byId: string
}

interface CommonFacts {
  /** 0 to 30, for storage and bit sets. Never changes. */
  readonly number: number
  readonly name: string
  /** The mark of its posts: up to three letters, white on a colour such as #0a66d8 that is dark enough for them. */
  readonly glyph: { readonly letters: string; readonly colour: string }
  /** Hosts whose feeds nobody may name, because everything that they hold is read anyway. */
  readonly feedHosts: readonly string[]
  readonly writing: WritingForm
  readonly links: LinkFacts
  /** Null unless posts may contain only the id of a person known by a handle. */
  readonly handles: HandleForm | null
}

export interface WithHandles {
  readonly handles: HandleForm
}

export interface LiveFacts extends CommonFacts {
  readonly mode: 'live'
  readonly readsWholeFeed: true
  readonly pollSeconds: null
  readonly longestLookBackDays: null
}

interface PolledFacts extends CommonFacts {
  /** Seconds between polls of a feed, term or page; the operator may change it. */
  readonly pollSeconds: number
  /** How far back the platform's history goes; null without a limit, 0 if earlier posts cannot be asked for. */
  readonly longestLookBackDays: number | null
}

export interface SearchFacts extends PolledFacts {
  readonly mode: 'search'
  /** True: one poll serves all keywords. False: each term is queried. */
  readonly readsWholeFeed: boolean
  /** Only of platforms that are read at places which people name, such as feeds. */
  readonly hasPlaces?: true
}

export interface WithPlaces {
  readonly hasPlaces: true
}

export interface PageInLink {
  readonly id: string | null | undefined
  readonly country?: string | null
  readonly language?: string | null
}

export interface PageFacts {
  /** Whether the address may be a review page; `host` is unchanged. */
  owns(host: string, url: URL): boolean
  /** The page of a link; null when there is none. */
  pageIn(url: URL): PageInLink | NeedsResolving | null
  /** The stored form of an id; null when the id is not valid. */
  storedId(text: string): string | null
  /** The canonical address; `country` counts only where addresses contain the storefront. */
  urlOf(id: string, country: string | null): string
  readonly hasCountries: boolean
  readonly hasLanguage: boolean
}

export interface ReviewFacts extends PolledFacts {
  readonly mode: 'reviews'
  readonly readsWholeFeed: false
  readonly page: PageFacts
}

export type PlatformFacts = LiveFacts | SearchFacts | ReviewFacts
