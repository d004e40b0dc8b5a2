import type { MatchRules, MatchText } from './contract.ts'
import { lengthOf, PhraseReader } from './phrase.ts'
import { ADDRESS } from './phrase-flags.ts'
import { holdsPhrase } from './phrase-search.ts'
import { PreparedText, SearchedText } from './prepared-text.ts'
import { type RuleVerdict, VERDICTS } from './rule-book.ts'
import { RuleRegister } from './rule-register.ts'
import { multiplierOf } from './text-scan.ts'

/** No stranger adds terms here, so hashes need no secret. */
const MULTIPLIER = multiplierOf(1)

/** `term` when the text lacks it. */
export type MatchJudgement = RuleVerdict | 'term'

/** Without an index, for previews and explanations. */
export function createJudge(rules: MatchRules): (text: MatchText) => MatchJudgement {
  const holds = phraseTest(rules.term, rules.caseSensitive)
  const lists = createListJudge(rules)
  return (text) => {
    const prepared = lists.read(text)
    if (!holds(prepared.body) && !(holds.inLinks && prepared.hasLinks && holds(prepared.links))) return 'term'
    return lists.verdict()
  }
}

/** Ignores the term, for texts found in another way. */
export function createListsTest(rules: MatchRules): (text: MatchText) => RuleVerdict {
  const lists = createListJudge(rules)
  return (text) => {
    lists.read(text)
    return lists.verdict()
  }
}

/** Many lists, one read of a text. */
export interface ListsBook {
  /** Throws RangeError for a phrase of more than 2,047 folded units, and changes nothing. */
  put(id: string, rules: MatchRules): void
  remove(id: string): void
  has(id: string): boolean
  readonly size: number
  read(text: MatchText): void
  /** Accepted without lists. */
  judge(id: string): RuleVerdict
}

export function createListsBook(): ListsBook {
  const book = new RuleRegister(MULTIPLIER)
  const prepared = new PreparedText(MULTIPLIER)
  const rules = new Map<string, number>()
  const drop = (id: string) => {
    const rule = rules.get(id)
    if (rule !== undefined) book.release(rule)
    rules.delete(id)
  }
  return {
    put(id, lists) {
      // Taken before the old one is released, so that shared phrases survive.
      const rule = book.take(book.plan(lists))
      drop(id)
      rules.set(id, rule)
    },
    remove: drop,
    has: (id) => rules.has(id),
    get size() {
      return rules.size
    },
    read(text) {
      prepared.read(text)
      book.open(prepared)
    },
    judge(id) {
      const rule = rules.get(id)
      return rule === undefined ? 'accepted' : VERDICTS[book.judge(rule)]!
    },
  }
}

function createListJudge(rules: MatchRules): { read(text: MatchText): PreparedText; verdict(): RuleVerdict } {
  const book = new RuleRegister(MULTIPLIER)
  const rule = book.take(book.plan(rules))
  const prepared = new PreparedText(MULTIPLIER)
  return {
    read(text) {
      prepared.read(text)
      return prepared
    },
    verdict() {
      book.open(prepared)
      return VERDICTS[book.judge(rule)]!
    },
  }
}

/** By the rules of a matcher. */
export function holdsTerm(text: string, term: string, options: { caseSensitive?: boolean } = {}): boolean {
  const searched = new SearchedText(MULTIPLIER)
  searched.scan.add(text)
  return phraseTest(term, options.caseSensitive ?? false)(searched)
}

interface PhraseTest {
  (text: SearchedText): boolean
  inLinks: boolean
}

function phraseTest(term: string, caseSensitive: boolean): PhraseTest {
  const phrase = new PhraseReader(MULTIPLIER).term(term, caseSensitive)
  if (phrase === null) return Object.assign(() => false, { inLinks: false })
  const { packed, units, offset } = phrase
  const pool = units.slice(offset, offset + lengthOf(packed))
  const first = phrase.path[0]!
  return Object.assign((text: SearchedText) => holdsPhrase(text, pool, 0, packed, first), {
    inLinks: (packed & ADDRESS) !== 0,
  })
}
