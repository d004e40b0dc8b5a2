import { type Alternative, both, merged, Unsayable } from './alternative.ts'

/** One condition, as the alternatives that satisfy it: none satisfies an empty list. */
export type Condition = readonly Alternative[]

export type Operator = 'AND' | 'OR'

export interface Tree {
  operator: Operator
  groups: readonly { operator: Operator; conditions: readonly Condition[] }[]
}

/** Alternatives between two steps. Beyond them a filter is refused rather than worked on for seconds. */
const STEP_MAX = 100

/** The filter as alternatives, as few as the rules of `merged` find. Throws `Unsayable`. */
export function alternativesOf({ operator, groups }: Tree): Alternative[] {
  return joined(
    operator,
    groups.map((group) => joined(group.operator, group.conditions)),
  )
}

function joined(operator: Operator, parts: readonly Condition[]): Alternative[] {
  return operator === 'OR' ? bounded(merged(parts.flat())) : parts.reduce<Alternative[]>(multiplied, [{}])
}

function multiplied(so: readonly Alternative[], part: Condition): Alternative[] {
  const product: Alternative[] = []
  for (const a of so)
    for (const b of part) {
      const alternative = both(a, b)
      if (alternative !== null) product.push(alternative)
      if (product.length > 4 * STEP_MAX) throw new Unsayable('that many alternatives')
    }
  return bounded(merged(product))
}

function bounded(alternatives: Alternative[]): Alternative[] {
  if (alternatives.length > STEP_MAX) throw new Unsayable('that many alternatives')
  return alternatives
}
