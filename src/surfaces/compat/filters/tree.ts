import { type Alternative, both, Effort, merged, Unsayable } from './alternative.ts'

/** One condition, as the alternatives that satisfy it: none satisfies an empty list. */
export type Condition = readonly Alternative[]

export type Operator = 'AND' | 'OR'

export interface Tree {
  operator: Operator
  groups: readonly { operator: Operator; conditions: readonly Condition[] }[]
}

/** Alternatives between two steps. Beyond them a filter is refused rather than worked on for seconds. */
const STEP_MAX = 100
/** Alternatives that a step may make before they are merged. */
const PRODUCT_MAX = 4 * STEP_MAX

/** The filter as alternatives, as few as the rules of `merged` find. Throws `Unsayable`. */
export function alternativesOf({ operator, groups }: Tree): Alternative[] {
  const effort = new Effort()
  return joined(
    operator,
    groups.map((group) => joined(group.operator, group.conditions, effort)),
    effort,
  )
}

function joined(operator: Operator, parts: readonly Condition[], effort: Effort): Alternative[] {
  if (operator === 'OR') return bounded(merged(parts.flat(), effort))
  // Conditions with one alternative first: they only narrow.
  const order = [...parts].sort((a, b) => a.length - b.length)
  return order.reduce<Alternative[]>((so, part) => multiplied(so, part, effort), [{}])
}

function multiplied(so: readonly Alternative[], part: Condition, effort: Effort): Alternative[] {
  const product: Alternative[] = []
  for (const a of so)
    for (const b of part) {
      const alternative = both(a, b)
      if (alternative !== null) product.push(alternative)
      if (product.length > PRODUCT_MAX) throw new Unsayable('that many alternatives')
    }
  return bounded(merged(product, effort))
}

function bounded(alternatives: Alternative[]): Alternative[] {
  if (alternatives.length > STEP_MAX) throw new Unsayable('that many alternatives')
  return alternatives
}
