import fc from 'fast-check'
import type { Intent, Sentiment } from '../../../domain/mention/classification.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'

/** What the plain evaluation knows of a mention. Null means unknown or unscored. */
export interface Facts {
  platform: Platform
  isReply: boolean
  keyword: number
  relevance: number | null
  sentiment: Sentiment | null
  language: string | null
  tags: readonly Intent[]
  followers: number | null
  status: 'open' | 'done' | 'ignored'
  likes: number | null
  publishedAt: number
}

type Value = readonly (string | number)[] | boolean | number | string
type Condition = Record<string, Value>
export interface Filter {
  operator?: 'AND' | 'OR'
  groups?: { operator: 'AND' | 'OR'; conditions: Condition[] }[]
  [name: string]: unknown
}

const SLUGS: Readonly<Record<string, (facts: Facts) => boolean>> = {
  twitter: ({ platform }) => platform === 'x',
  dev: ({ platform }) => platform === 'devto',
  bluesky: ({ platform }) => platform === 'bluesky',
  reddit: ({ platform }) => platform === 'reddit',
  reddit_comment: ({ platform, isReply }) => platform === 'reddit' && isReply,
  firehose: () => false,
}

/** The vendor's meaning of one condition, written down without a look at ours. */
const MEANINGS: Readonly<Record<string, (facts: Facts, value: never) => boolean>> = {
  source: (facts, slugs: string[]) => slugs.some((slug) => SLUGS[slug]!(facts)),
  sentiment: (facts, values: string[]) => facts.sentiment !== null && values.includes(facts.sentiment),
  language: (facts, values: string[]) => facts.language !== null && values.includes(facts.language),
  tag: (facts, values: string[]) => facts.tags.some((tag) => values.includes(tag)),
  keyword: (facts, values: (number | string)[]) => values.map(Number).includes(facts.keyword),
  relevance: ({ relevance }, values: number[]) => relevance !== null && values.map(Number).includes(scoreOf(relevance)),
  engaged: ({ status }, engaged: boolean) => (status === 'done') === engaged,
  minXFollowers: ({ followers }, least: number) => followers !== null && followers >= least,
  maxXFollowers: ({ followers }, most: number) => followers !== null && followers <= most,
  startDate: ({ publishedAt }, from: string) => publishedAt >= Date.parse(from),
  endDate: ({ publishedAt }, to: string) => publishedAt <= Date.parse(to),
  isReply: ({ isReply }, value: boolean) => isReply === value,
}

function scoreOf(relevance: number): number {
  if (relevance >= 70) return 0
  return relevance >= 40 ? 1 : 2
}

function holds(condition: Condition, facts: Facts): boolean {
  return Object.entries(condition).every(([name, value]) => {
    if (name === '!relevance')
      return MEANINGS['relevance']!(facts, [0, 1, 2].filter((score) => !(value as number[]).includes(score)) as never)
    return name.startsWith('!')
      ? !MEANINGS[name.slice(1)]!(facts, value as never)
      : MEANINGS[name]!(facts, value as never)
  })
}

/** Whether a filter shows a mention, one condition after the other. */
export function shows({ operator, groups, ...own }: Filter, facts: Facts): boolean {
  if (!holds(own as Condition, facts)) return false
  if (operator === undefined || groups === undefined) return true
  const group = ({ operator: inner, conditions }: NonNullable<Filter['groups']>[number]) =>
    inner === 'AND' ? conditions.every((one) => holds(one, facts)) : conditions.some((one) => holds(one, facts))
  return operator === 'AND' ? groups.every(group) : groups.some(group)
}

export function asksRelevance({ groups = [], ...own }: Filter): boolean {
  return [own, ...groups.flatMap(({ conditions }) => conditions)].some(
    (part) => 'relevance' in part || '!relevance' in part,
  )
}

const some = <Item>(...items: Item[]) => fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: 3 })

function lists(keywords: readonly number[]) {
  return {
    source: some(...Object.keys(SLUGS)),
    sentiment: some('positive', 'neutral', 'negative'),
    language: some('en', 'de'),
    tag: some('pricing', 'question', 'own_brand_mention'),
    keyword: some<number | string>(...keywords, String(keywords[0]), 987_654),
    relevance: fc.constantFrom([0], [0, 1], [2], [0, 1, 2]),
  }
}

/** Conditions of every kind. Dates among alternatives are refused, and have tests of their own. */
function conditionArbitrary(keywords: readonly number[]): fc.Arbitrary<Condition> {
  const named = Object.entries(lists(keywords)).flatMap(([name, values]) => [
    (values as fc.Arbitrary<Value>).map((value): Condition => ({ [name]: value })),
    ...(name === 'relevance'
      ? [fc.constantFrom<Condition>({ '!relevance': [2] }, { '!relevance': [0, 1] })]
      : [(values as fc.Arbitrary<Value>).map((value): Condition => ({ [`!${name}`]: value }))]),
  ])
  const others: fc.Arbitrary<Condition>[] = [
    fc.boolean().map((engaged) => ({ engaged })),
    fc.boolean().map((isReply) => ({ isReply })),
    fc.constantFrom(0, 50, 500).map((minXFollowers) => ({ minXFollowers })),
    fc.constantFrom(50, 500).map((maxXFollowers) => ({ maxXFollowers })),
  ]
  return fc.oneof(...named, ...others)
}

/** Filters of both forms. */
export function filterArbitrary(keywords: readonly number[], days: readonly string[]): fc.Arbitrary<Filter> {
  const condition = conditionArbitrary(keywords)
  const operator = fc.constantFrom<'AND' | 'OR'>('AND', 'OR')
  const dates = fc.constantFrom<Condition>(
    {},
    { startDate: days[0]! },
    { endDate: days[1]! },
    { startDate: days[0]!, endDate: days[1]! },
  )
  const simple = fc
    .tuple(fc.array(condition, { minLength: 1, maxLength: 4 }), dates)
    .map(([conditions, bounds]): Filter => Object.assign({}, ...conditions, bounds))
  const group = fc.record({ operator, conditions: fc.array(condition, { minLength: 1, maxLength: 4 }) })
  const advanced = fc
    .tuple(operator, fc.array(group, { minLength: 1, maxLength: 3 }), dates)
    .map(([top, groups, bounds]): Filter => ({ operator: top, groups, ...bounds }))
  return fc.oneof(simple, advanced, advanced)
}
