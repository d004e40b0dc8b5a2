import type { KeywordKind } from '../keyword/keyword.ts'
import type { Intent, Sentiment } from '../mention/classification.ts'
import type { MentionStatus } from '../mention/status.ts'
import type { Platform } from '../platform/platforms.ts'

/** Everything about a mention that a filter can ask for. Null means unknown or not scored yet. */
export interface Filterable {
  keywordId: string
  keywordKind: KeywordKind
  groupId: string
  platform: Platform
  status: MentionStatus
  /** Whether a delivery of it has arrived somewhere. */
  delivered: boolean
  /** Whether scoring it has failed for good. */
  failed: boolean
  /** Whether nobody of the team looks after it. */
  unassigned: boolean
  relevance: number | null
  confidence: number | null
  sentiment: Sentiment | null
  intents: readonly Intent[] | null
  automated: boolean | null
  language: string | null
  followers: number | null
  isReply: boolean
  rating: number | null
  likes: number | null
  reposts: number | null
  replies: number | null
  quotes: number | null
  views: number | null
  bookmarks: number | null
  /** The hosts of the post's links and every domain above them. */
  linkHosts: readonly string[]
  /** Every normal form under which the author may be named. */
  authorKeys: readonly string[]
  /** What the workspace calls the person who wrote the post; empty for somebody of whom nothing is known. */
  tags: readonly string[]
  /**
   * The words of title, text and author in the form of searches. Empty where only rules look: they cannot ask for
   * words.
   */
  words: readonly string[]
}

export type Attribute = keyof Filterable
/** Attributes that hold several values. */
export type SetAttribute = 'intents' | 'linkHosts' | 'authorKeys' | 'tags'

/** What a field does with its attribute; each interpreter knows these and nothing else of a field. */
export type Test =
  /** The value is one of the list; unknown is not. */
  | { test: 'one_of'; attribute: Attribute }
  /** The value is none of the list; unknown passes. */
  | { test: 'none_of'; attribute: Attribute }
  /** The value, itself a set, shares something with the list; unknown does not. */
  | { test: 'shares'; attribute: SetAttribute }
  /** The value, itself a set, shares nothing with the list; unknown passes. */
  | { test: 'shares_none'; attribute: SetAttribute }
  /**
   * Every word of a text stands in the mention, or some word with the wanted beginning; a text without any word finds
   * nothing.
   */
  | { test: 'says' }
  | { test: 'at_least'; attribute: Attribute }
  | { test: 'at_most'; attribute: Attribute }
  /** True wants a true value; false wants anything else, unknown included. */
  | { test: 'is'; attribute: 'automated' | 'isReply' | 'delivered' | 'failed' | 'unassigned' }
  /** True wants a relevance at or over the threshold; false wants anything else, unscored included. */
  | { test: 'relevant' }

/** What a field's value looks like, for validation and for the API description. */
export type Form =
  | { form: 'list'; of: 'word'; words: readonly string[]; max: number }
  | { form: 'list'; of: 'id'; prefix: 'kw' | 'grp'; max: number }
  | { form: 'list'; of: 'language' | 'host' | 'author' | 'tag' | 'rating'; max: number }
  | { form: 'word'; words: readonly string[] }
  | { form: 'number'; min: number; max: number }
  | { form: 'boolean' }
  | { form: 'words'; max: number }

export interface FilterField {
  meaning: string
  form: Form
  test: Test
  /** False for fields that only lists know, not the rules of alerts. */
  inRules: boolean
}
