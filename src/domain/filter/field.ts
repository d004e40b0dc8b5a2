import type { KeywordKind } from '../keyword/keyword.ts'
import type { Intent, Sentiment } from '../mention/classification.ts'
import type { MentionStatus } from '../mention/status.ts'
import type { Platform } from '../platform/platforms.ts'

/** Null means unknown or unscored. */
export interface Filterable {
  keywordId: string
  keywordKind: KeywordKind
  groupId: string
  platform: Platform
  status: MentionStatus
  delivered: boolean
  failed: boolean
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
  /** The hosts of the post's links and their parent domains. */
  linkHosts: readonly string[]
  /** Every normal form of the author. */
  authorKeys: readonly string[]
  tags: readonly string[]
  /** Empty for rules, which cannot search for words. */
  words: readonly string[]
}

export type Attribute = keyof Filterable
export type SetAttribute = 'intents' | 'linkHosts' | 'authorKeys' | 'tags'

/** Interpreters know nothing else of a field. */
export type Test =
  /** The value is in the list; unknown fails. */
  | { test: 'one_of'; attribute: Attribute }
  /** The value is not in the list; unknown passes. */
  | { test: 'none_of'; attribute: Attribute }
  /** The sets intersect; unknown fails. */
  | { test: 'shares'; attribute: SetAttribute }
  /** The sets do not intersect; unknown passes. */
  | { test: 'shares_none'; attribute: SetAttribute }
  /** The mention has every word, or for a prefix any word with it; a text without words finds nothing. */
  | { test: 'says' }
  | { test: 'at_least'; attribute: Attribute }
  | { test: 'at_most'; attribute: Attribute }
  /** False also matches unknown. */
  | { test: 'is'; attribute: 'automated' | 'isReply' | 'delivered' | 'failed' | 'unassigned' }
  /** True: at or over the threshold. False also matches unscored. */
  | { test: 'relevant' }

export type FieldForm =
  | { form: 'list'; of: 'word'; words: readonly string[]; max: number }
  | { form: 'list'; of: 'id'; prefix: 'kw' | 'grp'; max: number }
  | { form: 'list'; of: 'language' | 'host' | 'author' | 'tag' | 'rating'; max: number }
  | { form: 'word'; words: readonly string[] }
  | { form: 'number'; min: number; max: number }
  | { form: 'boolean' }
  | { form: 'words'; max: number }

export interface FilterField {
  meaning: string
  form: FieldForm
  test: Test
  /** False for fields of lists only. */
  inRules: boolean
}
