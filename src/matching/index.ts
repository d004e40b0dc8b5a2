/** The matching engine finds the subscribers of a text. It knows nothing of posts, keywords and workspaces. */
export type { Drop, OwnedMatches, TermHit } from './acceptance.ts'
export { isAddress } from './address.ts'
export { checksumOf } from './checksum.ts'
export type { MatchRules, MatchText } from './contract.ts'
export { foldTerm } from './fold.ts'
export {
  createJudge,
  createListsBook,
  createListsTest,
  holdsTerm,
  type ListsBook,
  type MatchJudgement,
} from './judge.ts'
export {
  createMatcher,
  type Matcher,
  type MatcherOptions,
  type MatcherStats,
  type RestoredIndex,
  restoreMatcher,
} from './matcher.ts'
export type { RuleVerdict } from './rule-book.ts'
export { type SearchTerm, searchTerms, searchTokens, searchWords, tokens } from './search-tokens.ts'
export { attachMatcher, type MatchReader, type SharedMatcher } from './shared-reader.ts'
export type { MatcherSnapshot, SnapshotRefusal } from './snapshot.ts'
export { findTerm, type TermPlace } from './term-places.ts'
