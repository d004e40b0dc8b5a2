import type { AnalyticsSeries } from '../api/analytics.ts'
import { PLATFORM_NAMES, type Platform } from '../app/platforms.ts'
import { words as postWords } from '../app/post/words.ts'
import { languageName } from '../kit/names.ts'
import { OTHER } from './narrow.ts'
import type { Dimension } from './report-query.ts'
import { words } from './words.ts'

/** What a value is called. Keywords and groups have names of their own. */
export function valueName(by: Dimension, key: string | null | typeof OTHER, label: string): string {
  if (key === OTHER) return words.others
  if (key === null) return words.unknown[by]
  if (by === 'platform') return PLATFORM_NAMES[key as Platform] ?? label
  if (by === 'sentiment') return postWords.sentiments[key as keyof typeof postWords.sentiments] ?? label
  if (by === 'intent') return postWords.intent(key)
  return by === 'language' ? languageName(key) : label
}

/** Series with a colour of their own. */
export const COLOURS = 8
const SENTIMENT_COLOURS: Readonly<Record<string, string>> = {
  positive: '--positive',
  neutral: '--others',
  negative: '--negative',
}

export interface ShownSeries {
  key: string | null | typeof OTHER
  name: string
  colour: string
  total: number
  values: readonly number[]
}

/** The largest series, and all others together. */
export function shownSeries(by: Dimension, series: AnalyticsSeries['series']): ShownSeries[] {
  const own = series.filter(({ other }) => !other)
  const kept = own.slice(0, COLOURS)
  const rest = [...own.slice(COLOURS), ...series.filter(({ other }) => other)]
  const shown = kept.map(
    ({ key, label, total, mentions }, index): ShownSeries => ({
      ...{ key, total, values: mentions },
      name: valueName(by, key, label),
      colour: by === 'sentiment' ? (SENTIMENT_COLOURS[key ?? ''] ?? '--line') : `--series-${index + 1}`,
    }),
  )
  if (rest.length === 0) return shown
  const values = rest[0]!.mentions.map((_, at) => rest.reduce((sum, { mentions }) => sum + mentions[at]!, 0))
  const total = rest.reduce((sum, part) => sum + part.total, 0)
  return [...shown, { key: OTHER, name: words.others, colour: '--others', total, values }]
}
