/** The classifier learns by family. */
export type WritingFamily = 'social' | 'developer' | 'reviews' | 'forum' | 'news'

export interface Writing {
  readonly family: WritingFamily
  /** Null where the purpose is the family's. */
  readonly venue: 'video' | 'shop' | 'hackernews' | null
  /** Only the platform can resolve the link. */
  readonly mostlyEnglish: boolean
}

export interface NeedsResolving {
  readonly needsResolving: true
}

/** The normalised profile link, or the reason for people why there is none. */
export type AuthorInLink = string | NeedsResolving | { readonly invalid: string }

export interface LinkFacts {
  /** `host` has no `www.`; no two platforms own one address. */
  owns(host: string, url: URL): boolean
  authorIn(url: URL, host: string): AuthorInLink
  /** A form that only this platform has and that is not a link. */
  authorInText?(text: string): AuthorInLink | null
  /** In any form. */
  readonly profileOfHandle: ((handle: string) => string) | null
  readonly profileOfId: ((id: string) => string) | null
  /** Every normal form of the link; absent: only itself. */
  aliasesOf?(profile: string): string[]
  /** Of the comment where the link names one. */
  readonly postIdIn: ((url: URL, segments: readonly string[]) => string | null | undefined) | null
}

export interface HandleForm {
  isHandle(name: string): boolean
  /** Prefixes of a profile link. */
  readonly profile: string
  readonly byId: string
}

interface CommonFacts {
  /** 0 to 30; never changes. */
  readonly number: number
  readonly name: string
  readonly writing: Writing
  readonly links: LinkFacts
  /** Null unless posts may contain only ids. */
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
  /** Default; the operator may change it. */
  readonly pollSeconds: number
  /** Null without a limit. */
  readonly longestLookBackDays: number | null
}

export interface SearchFacts extends PolledFacts {
  readonly mode: 'search'
  /** True: one poll serves all keywords. False: each term is queried. */
  readonly readsWholeFeed: boolean
}

export interface PageInLink {
  readonly id: string | null | undefined
  readonly country?: string | null
  readonly language?: string | null
}

export interface PageFacts {
  /** `host` is unchanged. */
  owns(host: string, url: URL): boolean
  /** Null without a page. */
  pageIn(url: URL): PageInLink | NeedsResolving | null
  /** Null for an invalid id. */
  storedId(text: string): string | null
  /** `country` counts only where addresses contain it. */
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
