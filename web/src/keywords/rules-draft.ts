import type { Keyword, KeywordChange } from '../api/keywords.ts'
import type { SearchPlatform } from '../app/platforms.ts'
import { ownCap } from './suggestion-words.ts'

/** What the form of rules holds. */
export interface RulesDraft {
  kind: Keyword['kind']
  groupId: string
  context: string
  /** Null for all. */
  platforms: SearchPlatform[] | null
  matching: Keyword['matching']
  /** As it is typed; empty for no limit. */
  cap: string
}

export function rulesOf(keyword: Keyword): RulesDraft {
  const { kind, group, context, platforms, matching } = keyword
  const cap = ownCap(keyword)
  return { kind, groupId: group.id, context: context ?? '', platforms, matching, cap: cap ? String(cap.mentions) : '' }
}

/** What differs between the two drafts, as a change of the keyword. */
export function changeBetween(former: RulesDraft, draft: RulesDraft): KeywordChange {
  const change: KeywordChange = {}
  if (draft.kind !== former.kind) change.kind = draft.kind
  if (draft.groupId !== former.groupId) change.groupId = draft.groupId
  if (draft.context.trim() !== former.context) change.context = draft.context.trim() || null
  if (!isSame(draft.platforms, former.platforms)) change.platforms = draft.platforms
  if (draft.cap.trim() !== former.cap) change.cap = capIn(draft.cap)
  const matching = rulesBetween(former.matching, draft.matching)
  if (matching !== null) change.matching = matching
  return change
}

/** A text that is no number is sent as 0, which the service refuses with the range. */
function capIn(text: string): { mentions: number } | null {
  const typed = text.trim()
  return typed === '' ? null : { mentions: /^\d+$/.test(typed) ? Number(typed) : 0 }
}

function rulesBetween(former: Keyword['matching'], draft: Keyword['matching']): Partial<Keyword['matching']> | null {
  const names = Object.keys(draft) as (keyof Keyword['matching'])[]
  const changed = names.filter((name) => !isSame(draft[name], former[name]))
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, draft[name]]))
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
