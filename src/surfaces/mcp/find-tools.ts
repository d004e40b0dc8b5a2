import type { Tool } from './tools.ts'

/** Words that say nothing about an operation. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  [
    'a all an and by do for from get give how i in is it me my of on or our',
    'please show tell that the these this to want we what which who with you',
  ].flatMap((words) => words.split(' ')),
)

/** What a person or a model calls a thing, by the word that operations have for it. */
const SYNONYMS: Readonly<Record<string, string>> = {
  author: 'person',
  authors: 'person',
  account: 'person',
  people: 'person',
  post: 'mention',
  rule: 'alert',
  notification: 'alert',
  destination: 'channel',
  webhook: 'channel',
  email: 'channel',
  balance: 'wallet',
  money: 'wallet',
  credit: 'wallet',
  cost: 'usage',
  spend: 'usage',
  term: 'keyword',
  tracker: 'keyword',
  remove: 'delete',
  change: 'update',
  edit: 'update',
  rename: 'update',
  add: 'create',
  make: 'create',
  new: 'create',
  feed: 'view',
  noise: 'noisy',
  statistic: 'analytics',
  chart: 'analytics',
  trend: 'analytics',
  platform: 'source',
  sent: 'delivery',
  failed: 'delivery',
  colleague: 'member',
  team: 'member',
}

const WEIGHTS = { name: 4, title: 3, described: 1 } as const
/** Shorter words have no forms that begin with them. */
const STEM_MIN = 4

/** Tools that fit the words, the best first. A word in the name says most, and a rare word more than a frequent one. */
export function findTools(tools: readonly Tool[], query: string): Tool[] {
  const entries = tools.map((tool) => ({ tool, places: placesOf(tool) }))
  const asked = wordsOf(query).filter((word) => !EMPTY_WORDS.has(word))
  const words = asked.map((word) => {
    const weights = entries.map(({ places }) => weightIn(places, word))
    const having = weights.filter((weight) => weight > 0).length
    return { weights, rarity: having === 0 ? 0 : Math.log(1 + tools.length / having) }
  })
  const isNamed = ({ whole }: Tool) => whole.name === query.trim().toLowerCase()
  return entries
    .map(({ tool }, at) => ({
      tool,
      score: isNamed(tool)
        ? Number.MAX_VALUE
        : words.reduce((sum, { weights, rarity }) => sum + weights[at]! * rarity, 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool)
}

type Places = readonly (readonly [words: readonly string[], weight: number])[]

function placesOf({ whole: { name, title, description, inputSchema } }: Tool): Places {
  return [
    [wordsOf(name), WEIGHTS.name],
    [wordsOf(title), WEIGHTS.title],
    [[...wordsOf(description), ...Object.keys(inputSchema.properties).flatMap(wordsOf)], WEIGHTS.described],
  ]
}

function weightIn(places: Places, word: string): number {
  const own = SYNONYMS[word] ?? word
  return Math.max(
    0,
    ...places
      .filter(([words]) => words.some((other) => isForm(other, word) || isForm(other, own)))
      .map(([, weight]) => weight),
  )
}

/** Whether the words are forms of one: mute, muted. */
function isForm(one: string, other: string): boolean {
  if (one === other) return true
  return Math.min(one.length, other.length) >= STEM_MIN && (one.startsWith(other) || other.startsWith(one))
}

/** Small letters in the singular, also of names such as `list_people` and `minFollowers`. */
function wordsOf(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return words.map((word) => (word === 'people' ? 'person' : singular(word)))
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? word.slice(0, -1) : word
}
