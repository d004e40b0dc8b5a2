import type { FilterGroup, MentionFilter } from '../../../domain/filter/fields.ts'
import { ANY_OF_MAX } from '../../../domain/filter/fields.ts'
import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { plus } from '../../../kernel/clock.ts'
import { type Alternative, Unsayable } from './alternative.ts'
import { alternativesOf, type Tree } from './tree.ts'

/** A filter of ours, and the publication times beside it. */
export interface Said {
  filter: MentionFilter
  since: Date | null
  /** Excluded. */
  until: Date | null
}

/** An empty list of ids matches nothing. */
export const MATCHES_NOTHING: MentionFilter = { keywordIds: [] }

/** The tree in our words, or a refusal of what they cannot say: nothing is approximated. */
export function saidOf(tree: () => Tree): Said | Refusal<'feature_disabled'> {
  try {
    return filterOf(alternativesOf(tree()))
  } catch (error) {
    if (error instanceof Unsayable)
      return refuse('feature_disabled', `filters: ${error.what} cannot be said here; nothing is approximated.`)
    throw error
  }
}

function filterOf(alternatives: readonly Alternative[]): Said {
  const [first, ...others] = alternatives
  if (first === undefined) return { filter: MATCHES_NOTHING, since: null, until: null }
  if (others.some(({ from, to }) => from !== first.from || to !== first.to))
    throw new Unsayable('a time of publication in only one of several alternatives')
  if (alternatives.length > ANY_OF_MAX) throw new Unsayable(`more than ${ANY_OF_MAX} alternatives`)
  return {
    filter: others.length === 0 ? groupOf(first) : { anyOf: alternatives.map(groupOf) },
    since: first.from === undefined ? null : new Date(first.from),
    // Included there and excluded here; times have whole milliseconds.
    until: first.to === undefined ? null : plus(new Date(first.to), 1),
  }
}

function groupOf({ from: _from, to: _to, ...group }: Alternative): FilterGroup {
  return group
}
