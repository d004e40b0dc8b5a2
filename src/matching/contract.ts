/** The rules of one keyword, as the engine needs them. */
export interface MatchRules {
  /** 2 to 80 characters; matched as a whole phrase. */
  term: string
  /** True when the term counts only as it is typed. */
  caseSensitive: boolean
  /** The post must also hold any or all of these; none means no requirement. */
  requiredTerms: readonly string[]
  requiredMode: 'any' | 'all'
  /** The post is dropped when it holds one of these. A leading or trailing * stands for the rest of the word. */
  excludedTerms: readonly string[]
  /** Normalised author entries (a profile link or a plain folded name); the post is dropped when its author is one. */
  excludedAuthors: readonly string[]
  /** Bit set of the channels (for Earshot: platforms) on which the term is looked for. */
  scopes: number
}

/** A text to be matched. */
export interface MatchText {
  /** The number of the one bit of `MatchRules.scopes` that this text belongs to. */
  scope: number
  title: string | null
  text: string
  /** Searched only for terms that look like a domain or an address. */
  links: readonly string[]
  /**
   * Every normalised form under which the author may have been excluded. Read once a text, and only when rules name
   * people.
   */
  authorKeys: readonly string[]
  /** Also seen by excludedTerms. */
  authorName: string | null
}
