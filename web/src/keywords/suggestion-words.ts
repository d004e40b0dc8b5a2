import type { Keyword, KeywordChange, Suggestion } from '../api/keywords.ts'
import { PLATFORM_NAMES, type Platform } from '../app/platforms.ts'
import { formatCount } from '../kit/count.tsx'
import { listAll, listAny } from '../kit/list.ts'
import { formatMoney } from '../kit/money.tsx'
import type { Tone } from '../kit/tone.ts'
import { words as kitWords } from '../kit/words.ts'
import { words } from './words.ts'

const quoted = (values: readonly string[]) => values.map(kitWords.quoted)
const nameOf = (value: string) => PLATFORM_NAMES[value as Platform] ?? value

export function suggestionTitle({ type, values }: Pick<Suggestion, 'type' | 'values'>): string {
  const titles = {
    excluded_terms: () => words.suggestions.excludeTerms(listAny(quoted(values))),
    excluded_authors: () => words.suggestions.muteAuthors(listAll(values)),
    required_terms: () => words.suggestions.requireTerms(listAny(quoted(values))),
    platforms: () => words.suggestions.leaveOut(listAll(values.map(nameOf))),
    context: () => words.suggestions.context(values[0] ?? ''),
  }
  return titles[type]()
}

export interface EffectPart {
  text: string
  tone: Tone
  /** Whether the part is about relevant mentions that the change would have kept out. */
  isLoss?: boolean
}

/** What a change would have done in the window, a figure at a time. */
export function effectWords(effect: Suggestion['effect'], days: number): EffectPart[] {
  if (effect === null) return [{ text: words.effects.scoringOnly, tone: 'neutral' }]
  const { noiseRemoved, relevantRemoved, centsSaved, exact } = effect
  const about = (count: number) => (exact ? formatCount(count) : words.effects.about(formatCount(count)))
  return [
    {
      text: words.effects.fewer(about(noiseRemoved + relevantRemoved), noiseRemoved + relevantRemoved),
      tone: 'positive',
    },
    ...(centsSaved > 0
      ? [{ text: words.effects.saved(formatMoney(centsSaved), days), tone: 'positive' as const }]
      : []),
    relevantRemoved > 0
      ? { text: words.effects.lost(about(relevantRemoved)), tone: 'negative', isLoss: true }
      : { text: words.effects.noneLost, tone: 'neutral' },
  ]
}

/** Terms of one list that `anyOf` takes. */
const CONDITIONS = 10

/** The address of the relevant mentions among which those stand that a change would have kept out. */
export function lostHref(keywordId: string, { type, values }: Pick<Suggestion, 'type' | 'values'>): string {
  const params = new URLSearchParams({ keywordIds: keywordId, relevant: 'true' })
  const isTerms = type === 'excluded_terms' && values.every((value) => !value.includes('*'))
  if (isTerms && values.length === 1) params.set('q', values[0]!)
  else if (isTerms && values.length <= CONDITIONS)
    params.set('anyOf', JSON.stringify(values.map((value) => ({ q: value }))))
  if (type === 'platforms') params.set('platforms', values.join(','))
  return `/inbox?${params}`
}

/** The values that a change replaces, as the change that brings them back. */
export function formerOf(keyword: Keyword, change: KeywordChange): KeywordChange {
  const { matching, cap, ...plain } = change
  const former = Object.fromEntries(Object.keys(plain).map((field) => [field, formerValue(keyword, field)]))
  return {
    ...former,
    ...(cap === undefined ? {} : { cap: ownCap(keyword) }),
    ...(matching === undefined ? {} : { matching: formerRules(keyword, matching) }),
  }
}

function formerValue(keyword: Keyword, field: string): unknown {
  return field === 'groupId' ? keyword.group.id : keyword[field as keyof Keyword]
}

/** The limit that the team chose, without that of the welcome credit. */
export function ownCap({ cap }: Pick<Keyword, 'cap'>): { mentions: number } | null {
  return cap === null || cap.own === null ? null : { mentions: cap.own }
}

function formerRules(keyword: Keyword, matching: KeywordChange['matching']): Keyword['matching'] {
  const changed = Object.keys(matching ?? keyword.matching) as (keyof Keyword['matching'])[]
  return Object.fromEntries(changed.map((rule) => [rule, keyword.matching[rule]])) as Keyword['matching']
}
