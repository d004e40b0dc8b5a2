import type { PeopleFilter } from '../api/segments.ts'
import { PLATFORM_NAMES, type Platform } from '../app/platforms.ts'
import { words as postWords } from '../app/post/words.ts'
import { formatCount } from '../kit/count.tsx'
import { formatDay } from '../kit/time.tsx'
import { words as kitWords } from '../kit/words.ts'
import { words } from './words.ts'

/** A filter in a line, such as "has an account on X · followers from 1,000". */
export function conditionsInWords(filter: PeopleFilter): string {
  const parts = (Object.keys(words.fields) as (keyof PeopleFilter)[])
    .filter((name) => filter[name] !== undefined)
    .map((name) => conditionOf(name, filter[name]))
  return parts.length === 0 ? words.everybody : words.join(parts)
}

function conditionOf(name: keyof PeopleFilter, value: unknown): string {
  if (typeof value === 'boolean') return words.mutedValue(value)
  if (name === 'since') return words.condition(words.fields.since, formatDay(Date.parse(String(value)), Date.now()))
  if (typeof value === 'number') return words.condition(words.fields[name], formatCount(value))
  const named = Array.isArray(value)
    ? words.any(value.map((word) => wordOf(name, String(word))))
    : kitWords.quoted(String(value))
  return words.condition(words.fields[name], named)
}

function wordOf(name: keyof PeopleFilter, word: string): string {
  if (name === 'platforms' || name === 'notPlatforms') return PLATFORM_NAMES[word as Platform] ?? word
  return name === 'intents' ? postWords.intent(word) : word
}
