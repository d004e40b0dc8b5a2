import { isRelevant } from '../mention/classification.ts'
import type { Filterable, Test } from './field.ts'
import {
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterName,
  type FilterValue,
  type MentionFilter,
  type WantedWord,
  type WordsOf,
} from './fields.ts'

export type Predicate = (mention: Filterable) => boolean

/**
 * The filter as a function for rules. Must agree with the SQL of lists. Only `q`, which rules cannot have, needs
 * `wordsOf`; without it such a filter matches nothing.
 */
export function predicateOf(filter: MentionFilter, wordsOf: WordsOf = () => []): Predicate {
  const all = groupPredicate(filter, wordsOf)
  const alternatives = filter.anyOf?.map((group) => groupPredicate(group, wordsOf))
  return (mention) => all(mention) && (!alternatives || alternatives.some((holds) => holds(mention)))
}

function groupPredicate(group: FilterGroup, wordsOf: WordsOf): Predicate {
  const conditions = FILTER_NAMES.flatMap((name: FilterName) => {
    const value = group[name]
    return value === undefined ? [] : [condition(FILTER_FIELDS[name].test, value, wordsOf)]
  })
  return (mention) => conditions.every((holds) => holds(mention))
}

function condition(test: Test, value: FilterValue, wordsOf: WordsOf): Predicate {
  switch (test.test) {
    case 'one_of': {
      const wanted = new Set<unknown>(listOf(value))
      return (mention) => mention[test.attribute] !== null && wanted.has(mention[test.attribute])
    }
    case 'none_of': {
      const unwanted = new Set<unknown>(listOf(value))
      return (mention) => mention[test.attribute] === null || !unwanted.has(mention[test.attribute])
    }
    case 'shares': {
      const wanted = new Set<unknown>(listOf(value))
      return (mention) => mention[test.attribute]?.some((entry) => wanted.has(entry)) ?? false
    }
    case 'shares_none': {
      const unwanted = new Set<unknown>(listOf(value))
      return (mention) => !(mention[test.attribute]?.some((entry) => unwanted.has(entry)) ?? false)
    }
    case 'says': {
      const wanted = wordsOf(String(value))
      const says = ({ words }: Filterable, { word, begins }: WantedWord) =>
        begins ? words.some((text) => text.startsWith(word)) : words.includes(word)
      return (mention) => wanted.length > 0 && wanted.every((word) => says(mention, word))
    }
    case 'at_least':
      return (mention) => mention[test.attribute] !== null && Number(mention[test.attribute]) >= Number(value)
    case 'at_most':
      return (mention) => mention[test.attribute] !== null && Number(mention[test.attribute]) <= Number(value)
    case 'is':
      return (mention) => (mention[test.attribute] === true) === value
    case 'relevant':
      return (mention) => isRelevant(mention.relevance) === value
  }
}

export function listOf(value: FilterValue): readonly (string | number | boolean)[] {
  return typeof value === 'object' ? value : [value]
}
