import type { Matching } from '../../src/domain/keyword/keyword.ts'
import type { SearchPlatform } from '../../src/domain/platform/platforms.ts'
import { readTexts } from '../texts.ts'

export interface PlanOptions {
  /** Workspaces whose keywords stay as they are; a multiple of four. */
  workspaces: number
  /** Their keywords; a multiple of `workspaces`. */
  keywords: number
  /**
   * Whether some keywords have rules, and some terms are watched by four workspaces; else all are plain and watched
   * once.
   */
  rules: boolean
  /** Terms of keywords that are created, muted and removed during the run. */
  movingTerms: number
  /** One post in so many holds a term. */
  holdingEvery: number
  /** Posts hold one of the first so many terms; absent, any. */
  popularTerms?: number
}

/** A keyword as it is stored. Its number says which workspace it belongs to. */
export interface PlannedKeyword {
  term: string
  platforms: SearchPlatform[] | null
  matching: Matching
}

/** A post, made from its number alone, so that nothing of it has to be remembered. */
export interface PlannedPost {
  nativeId: string
  did: string
  rkey: string
  text: string
}

/**
 * The whole world of a run, made from numbers: which keyword wants what, what each post says, and which keywords have
 * to find it. That last answer follows from how the post was put together and never from reading its text, so it is
 * independent of the engine; the slow oracle confirms it on a sample.
 */
export interface Plan {
  readonly options: PlanOptions
  workspaceOf(keyword: number): number
  keyword(number: number): PlannedKeyword
  post(number: number): PlannedPost
  /** The keywords that have to find the post. */
  expected(number: number): number[]
  /** The keywords whose term, or something that looks like it, stands in the post. */
  related(number: number): number[]
  /** The moving term that the post holds, if any. */
  movingTermIn(number: number): number | null
  /** Whether the post holds anything at all. */
  holds(number: number): boolean
}

/** How a term stands in a post. The last three are no occurrences. */
const FORMS = ['plain', 'typed', 'upper', 'hyphen', 'wide', 'quoted', 'glued before', 'glued behind', 'split'] as const
type Form = (typeof FORMS)[number]
const NEAR_MISSES: readonly Form[] = ['glued before', 'glued behind', 'split']

const NEEDS = ['kqalpha', 'kqbeta', 'kqgamma', 'kqdelta', 'kqomega', 'kqsigma', 'kqkappa']
const BARRED = ['kqrose', 'kqlily', 'kqtulip', 'kqdaisy', 'kqaster', 'kqpoppy', 'kqviola']
const WILD_ENTRY = 'kqwild*'
const WILD_WORD = 'kqwilderness'
const AUTHORS = 40
/** Keywords of each workspace whose term three other workspaces watch, too. */
const SHARED_BLOCKS = 20
const SHARERS = 4
const MOVING_EVERY = 200
const NEAR_MISS_EVERY = 50
const LONGEST = 280

export function createPlan(options: PlanOptions, texts: readonly string[]): Plan {
  const world = worldOf(options)
  const movingTermIn = (number: number) => movingIn(options.movingTerms, number)
  return {
    options,
    workspaceOf: (keyword) => keyword % options.workspaces,
    keyword: (number) => keywordOf(world, number),
    expected: (number) => [
      ...new Set(
        heldIn(world, number).flatMap(({ termId, form }) =>
          subscribersOf(world, termId).filter((keyword) => wants(keywordOf(world, keyword), form, number)),
        ),
      ),
    ],
    related: (number) => [...new Set(heldIn(world, number).flatMap(({ termId }) => subscribersOf(world, termId)))],
    movingTermIn,
    holds: (number) => heldIn(world, number).length > 0,
    post(number) {
      const held = heldIn(world, number).map(({ termId, form }) => `I tried ${written(termText(termId), form)} today.`)
      const moving = movingTermIn(number)
      if (moving !== null) held.push(`And ${movingTerm(moving)} too.`)
      const words = options.rules && held.length > 0 ? wordsOfRules(number) : []
      const rkey = `3m${String(number).padStart(11, '0')}`
      const did = didOf(factsOf(number).author)
      const text = [texts[number % texts.length]!, ...held, ...words].join(' ')
      return { nativeId: `${did}/${rkey}`, did, rkey, text }
    },
  }
}

/** The options, and how keywords share terms. */
interface World extends PlanOptions {
  /** The first so many keywords share their terms, four to one. */
  sharedKeywords: number
  sharedTerms: number
  terms: number
}

function worldOf(options: PlanOptions): World {
  const { workspaces, keywords, rules } = options
  const sharedBlocks = rules ? Math.min(SHARED_BLOCKS, Math.floor(keywords / workspaces / 2)) : 0
  const sharedKeywords = sharedBlocks * workspaces
  const sharedTerms = sharedKeywords / SHARERS
  return { ...options, sharedKeywords, sharedTerms, terms: sharedTerms + keywords - sharedKeywords }
}

function keywordOf({ rules, sharedKeywords, sharedTerms }: World, number: number): PlannedKeyword {
  const { platforms, matching } = rules ? rulesOf(number) : { platforms: null, matching: PLAIN }
  const termId = number < sharedKeywords ? Math.floor(number / SHARERS) : sharedTerms + number - sharedKeywords
  const term = termText(termId)
  return { term: matching.caseSensitive ? asTyped(term) : term, platforms, matching }
}

function subscribersOf({ sharedKeywords, sharedTerms }: World, termId: number): number[] {
  return termId < sharedTerms
    ? Array.from({ length: SHARERS }, (_, at) => termId * SHARERS + at)
    : [sharedKeywords + termId - sharedTerms]
}

function pickTerm({ popularTerms, sharedTerms, terms }: World, draw: number): number {
  if (popularTerms) return draw % Math.min(popularTerms, terms)
  return sharedTerms > 0 && draw % 2 === 0
    ? (draw >>> 1) % sharedTerms
    : sharedTerms + ((draw >>> 1) % (terms - sharedTerms))
}

/** The terms that a post holds, or nearly. */
function heldIn(world: World, number: number): { termId: number; form: Form }[] {
  const { rules, holdingEvery } = world
  const draw = mix(number, 2)
  if (number % holdingEvery === 0) {
    const first = { termId: pickTerm(world, mix(number, 3)), form: rules ? formOf(draw % 20) : ('plain' as const) }
    return rules && draw % 8 === 7 ? [first, { termId: pickTerm(world, mix(number, 4)), form: 'plain' }] : [first]
  }
  if (rules && number % NEAR_MISS_EVERY === 7)
    return [{ termId: pickTerm(world, mix(number, 3)), form: NEAR_MISSES[draw % NEAR_MISSES.length]! }]
  return []
}

function movingIn(movingTerms: number, number: number): number | null {
  return movingTerms > 0 && number % MOVING_EVERY === 3 ? Math.floor(number / MOVING_EVERY) % movingTerms : null
}

/** Whether a keyword wants a post that holds its term in this form. */
function wants({ matching, platforms }: PlannedKeyword, form: Form, number: number): boolean {
  const facts = factsOf(number)
  if (NEAR_MISSES.includes(form) || (matching.caseSensitive && form !== 'typed')) return false
  if (platforms !== null && !platforms.includes('bluesky')) return false
  if (matching.excludedAuthors.includes(profileOf(facts.author))) return false
  if (
    matching.excludedTerms.length > 0 &&
    (facts.wild || (facts.barred !== null && matching.excludedTerms.includes(facts.barred)))
  )
    return false
  if (matching.requiredTerms.length === 0) return true
  const there = (term: string) => facts.needs.includes(term)
  return matching.requiredMode === 'all' ? matching.requiredTerms.every(there) : matching.requiredTerms.some(there)
}

/** What a post says because rules look at it. */
function wordsOfRules(number: number): string[] {
  const { needs, barred, wild } = factsOf(number)
  return [...needs, ...(barred === null ? [] : [barred]), ...(wild ? [WILD_WORD] : [])]
}

/** The number of the post with this native id, or whose address ends like it. */
export function numberOfPost(nativeId: string): number {
  return Number(nativeId.slice(-11))
}

export function movingTerm(moving: number): string {
  return `zq1${moving.toString(36)}x tool`
}

export function profileOf(author: number): string {
  return `https://bsky.app/profile/${didOf(author)}`
}

const PLAIN: Matching = {
  requiredTerms: [],
  requiredMode: 'any',
  excludedTerms: [],
  excludedAuthors: [],
  caseSensitive: false,
}

/** Six of ten keywords are plain; the others have one rule each. */
function rulesOf(number: number): Omit<PlannedKeyword, 'term'> {
  const draw = mix(number, 1)
  const pick = <Value>(values: readonly Value[], from: number) => values[from % values.length]!
  const rule = draw % 20
  const more = draw >>> 8
  const all = (matching: Partial<Matching>) => ({ platforms: null, matching: { ...PLAIN, ...matching } })
  if (rule === 12 || rule === 13) return all({ requiredTerms: [pick(NEEDS, more), pick(NEEDS, more + 1)] })
  if (rule === 14) return all({ requiredTerms: [pick(NEEDS, more), pick(NEEDS, more + 3)], requiredMode: 'all' })
  if (rule === 15 || rule === 16) return all({ excludedTerms: [pick(BARRED, more), WILD_ENTRY] })
  if (rule === 17) return all({ excludedAuthors: [profileOf(more % AUTHORS)] })
  if (rule === 18) return all({ caseSensitive: true })
  if (rule === 19) return { platforms: more % 2 === 0 ? ['hackernews'] : ['bluesky', 'reddit'], matching: PLAIN }
  return { platforms: null, matching: PLAIN }
}

/** What rules look at in a post that holds a term. */
function factsOf(number: number): { author: number; needs: string[]; barred: string | null; wild: boolean } {
  const draw = mix(number, 5)
  return {
    author: mix(number, 6) % AUTHORS,
    needs: NEEDS.filter((_, at) => (draw & (1 << at)) !== 0),
    barred: BARRED[(draw >>> 8) % (2 * BARRED.length)] ?? null,
    wild: (draw >>> 16) % 8 === 0,
  }
}

/** Most terms stand in posts as keywords have them. */
function formOf(draw: number): Form {
  return FORMS[Math.max(0, draw - 14)]!
}

/** Words that occur in no text by themselves. */
function termText(termId: number): string {
  return `zq0${termId.toString(36)}x tool`
}

function asTyped(term: string): string {
  return term.replace('zq', 'Zq').replace('tool', 'Tool')
}

function written(term: string, form: Form): string {
  switch (form) {
    case 'plain':
      return term
    case 'typed':
      return asTyped(term)
    case 'upper':
      return term.toUpperCase()
    case 'hyphen':
      return term.replace(' ', '-')
    case 'wide':
      return term.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
    case 'quoted':
      return `\u201c${term}\u201d,`
    case 'glued before':
      return `pre${term}`
    case 'glued behind':
      return `${term}s`
    case 'split':
      return term.replace(' ', ' good ')
  }
}

function didOf(author: number): string {
  return `did:plc:soak${String(author).padStart(2, '0')}aaaaaaaaaaaaaaaaaa`
}

/** A draw that depends on both numbers alone (the finaliser of murmur3). */
export function mix(number: number, salt: number): number {
  let h = (number ^ Math.imul(salt, 0x9e3779b1)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** What posts say besides: texts as people write them, none of which holds a word that the plan uses. */
export async function readBases(): Promise<string[]> {
  const texts = (await readTexts()).map((text) => [...text.slice(0, 2 * LONGEST)].slice(0, LONGEST).join(''))
  return texts.filter((text) => !/zq|kq/.test(text.normalize('NFKC').toLowerCase()))
}
