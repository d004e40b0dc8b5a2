import type { Keyword } from '../../api/keywords.ts'
import { words } from './words.ts'

/** The kinds of keywords to choose from. */
export const KINDS = (['brand', 'competitor', 'topic'] as const satisfies Keyword['kind'][]).map((kind) => ({
  value: kind,
  label: words.kinds[kind],
  hint: words.kindHints[kind],
}))
