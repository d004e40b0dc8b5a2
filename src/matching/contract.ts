/** The rules of one keyword. */
export interface MatchRules {
  /** 2 to 80 characters; matched as a whole phrase. */
  term: string
  /** True when the case of the term counts. */
  caseSensitive: boolean
  /** The text must also hold any or all of these; empty means no requirement. */
  requiredTerms: readonly string[]
  requiredMode: 'any' | 'all'
  /** A text that holds one of these is dropped. A leading or trailing * stands for the rest of the word. */
  excludedTerms: readonly string[]
  /** Normalised author entries (a profile link or a folded name); a text by one of these authors is dropped. */
  excludedAuthors: readonly string[]
  /** Bit set of the scopes (for Earshot: platforms) in which the term is matched. */
  scopes: number
}

export interface MatchText {
  /** The number of the one bit of `MatchRules.scopes` that this text belongs to. */
  scope: number
  title: string | null
  text: string
  /** Searched only for terms that look like a domain or an address. */
  links: readonly string[]
  /** Every normalised form of the author. Read at most once a text, and only when a rule names authors. */
  authorKeys: readonly string[]
  /** Also searched for `excludedTerms`. */
  authorName: string | null
}
