import { type Conditions, conditionsKey, conditionsOf } from './conditions.ts'
import type { MatchRules } from './contract.ts'
import { grownInt32, grownUint16, Runs, sharedInt32, sharedUint16 } from './memory.ts'
import { lengthOf, PhraseReader } from './phrase.ts'
import { ADDRESS } from './phrase-flags.ts'
import { holdsPhrase } from './phrase-search.ts'
import type { PreparedText } from './prepared-text.ts'

/** Why a text that holds the term is dropped all the same; 0 when it is not. */
export const VERDICTS = ['accepted', 'scope', 'excluded_author', 'excluded_term', 'required_terms'] as const
export type Verdict = (typeof VERDICTS)[number]
const ACCEPTED = 0
const SCOPE = 1
const EXCLUDED_AUTHOR = 2
const EXCLUDED_TERM = 3
const REQUIRED_TERMS = 4

/** Of each phrase of a rule: where its characters lie, its packed phrase, the hash of its first token, how many rules name it. */
const PHRASE_FIELDS = 4
/** Of each set of rules: where its words lie, how many subscribers have it. */
const RULE_FIELDS = 2
/** The words of a set of rules: scopes, whether all required terms are needed, three counts, then the numbers of the phrases. */
const SCOPES = 0
const ALL = 1
const REQUIRED_COUNT = 2
const EXCLUDED_COUNT = 3
const AUTHOR_COUNT = 4
const WORDS = 5

/** Where a phrase was found. */
const IN_TEXT = 1
const IN_AUTHOR = 2

interface PhraseEntry {
  characters: Uint16Array
  packed: number
  hash: number
}

/**
 * The distinct sets of rules, each judged at most once a text, and the distinct phrases in them, each looked for at
 * most once a text.
 */
export class RuleBook {
  private readonly reader: PhraseReader
  private rules = sharedInt32(RULE_FIELDS * 16)
  private words = sharedInt32(64)
  private phrases = sharedInt32(PHRASE_FIELDS * 16)
  private pool = sharedUint16(256)
  private readonly ruleRuns = new Runs()
  private readonly wordRuns = new Runs()
  private readonly phraseRuns = new Runs()
  private readonly poolRuns = new Runs()
  private readonly ruleByKey = new Map<string, number>()
  private readonly keyOfRule = new Map<number, string>()
  private readonly phraseByText = new Map<string, number>()
  private readonly textOfPhrase = new Map<number, string>()
  /** What is known about the present text: the number of the text, then the answer. */
  private round = 0
  private ruleRound: Int32Array = new Int32Array(16)
  private ruleAnswer: Uint8Array = new Uint8Array(16)
  private phraseRound: Int32Array = new Int32Array(16)
  private phraseAnswer: Uint8Array = new Uint8Array(16)
  private prepared: PreparedText | null = null
  private authorHashes: number[] | null = null

  constructor(multiplier: number) {
    this.reader = new PhraseReader(multiplier)
  }

  get bytes(): number {
    return this.rules.byteLength + this.words.byteLength + this.phrases.byteLength + this.pool.byteLength
  }

  /** The number of a set of rules, with one more subscriber. */
  take(rules: MatchRules): number {
    const key = conditionsKey(rules)
    const rule = this.ruleByKey.get(key) ?? this.add(key, conditionsOf(rules))
    this.rules[RULE_FIELDS * rule + 1]! += 1
    return rule
  }

  /** One subscriber less; rules without any are forgotten. */
  release(rule: number): void {
    const at = RULE_FIELDS * rule
    this.rules[at + 1]! -= 1
    if (this.rules[at + 1]! > 0) return
    const start = this.rules[at]!
    const length = this.lengthOfRule(start)
    for (let word = start + WORDS; word < start + length; word += 1) this.releasePhrase(this.words[word]!)
    this.wordRuns.give(start, length)
    this.ruleRuns.give(at, RULE_FIELDS)
    this.ruleByKey.delete(this.keyOfRule.get(rule)!)
    this.keyOfRule.delete(rule)
    this.ruleRound[rule] = 0
  }

  key(rule: number): string {
    return this.keyOfRule.get(rule)!
  }

  /** From here on rules are judged on this text. */
  open(prepared: PreparedText): void {
    this.prepared = prepared
    this.authorHashes = null
    this.round += 1
    if (this.round === 0x7fffffff) {
      this.round = 1
      this.ruleRound.fill(0)
      this.phraseRound.fill(0)
    }
  }

  /** Index into VERDICTS: what a set of rules says about the open text, whose term has been found already. */
  judge(rule: number): number {
    if (this.ruleRound[rule] === this.round) return this.ruleAnswer[rule]!
    const verdict = this.verdict(this.rules[RULE_FIELDS * rule]!, this.prepared!)
    this.ruleRound[rule] = this.round
    this.ruleAnswer[rule] = verdict
    return verdict
  }

  private verdict(start: number, prepared: PreparedText): number {
    const { words } = this
    if ((words[start + SCOPES]! & prepared.scopeBit) === 0) return SCOPE
    const required = start + WORDS
    const excluded = required + words[start + REQUIRED_COUNT]!
    const authors = excluded + words[start + EXCLUDED_COUNT]!
    const end = authors + words[start + AUTHOR_COUNT]!
    for (let at = authors; at < end; at += 1) if (this.isAuthor(words[at]!, prepared)) return EXCLUDED_AUTHOR
    for (let at = excluded; at < authors; at += 1) if (this.holds(words[at]!, prepared, true)) return EXCLUDED_TERM
    return this.meetsRequired(required, excluded, words[start + ALL] === 1, prepared) ? ACCEPTED : REQUIRED_TERMS
  }

  private meetsRequired(from: number, to: number, all: boolean, prepared: PreparedText): boolean {
    if (from === to) return true
    for (let at = from; at < to; at += 1) if (this.holds(this.words[at]!, prepared, false) !== all) return !all
    return all
  }

  /** Whether the open text holds a phrase; for an excluded one the author's name counts, too. */
  private holds(phrase: number, prepared: PreparedText, withAuthor: boolean): boolean {
    if (this.phraseRound[phrase] !== this.round) {
      this.phraseRound[phrase] = this.round
      this.phraseAnswer[phrase] =
        (this.holdsIn(phrase, prepared) ? IN_TEXT : 0) | (prepared.hasAuthorName && this.search(phrase, prepared.author) ? IN_AUTHOR : 0)
    }
    return (this.phraseAnswer[phrase]! & (withAuthor ? IN_TEXT | IN_AUTHOR : IN_TEXT)) !== 0
  }

  private holdsIn(phrase: number, prepared: PreparedText): boolean {
    if (this.search(phrase, prepared.body)) return true
    return (this.phrases[PHRASE_FIELDS * phrase + 1]! & ADDRESS) !== 0 && prepared.hasLinks && this.search(phrase, prepared.links)
  }

  private search(phrase: number, text: Parameters<typeof holdsPhrase>[0]): boolean {
    const at = PHRASE_FIELDS * phrase
    return holdsPhrase(text, this.pool, this.phrases[at]!, this.phrases[at + 1]!, this.phrases[at + 2]!)
  }

  private isAuthor(phrase: number, prepared: PreparedText): boolean {
    const at = PHRASE_FIELDS * phrase
    this.authorHashes ??= prepared.authorKeys.map(textHash)
    for (const [key, hash] of this.authorHashes.entries()) {
      if (hash === this.phrases[at + 2]! && this.sameText(prepared.authorKeys[key]!, this.phrases[at]!, this.phrases[at + 1]!)) return true
    }
    return false
  }

  private sameText(text: string, offset: number, length: number): boolean {
    if (text.length !== length) return false
    for (let at = 0; at < length; at += 1) if (text.charCodeAt(at) !== this.pool[offset + at]) return false
    return true
  }

  private add(key: string, conditions: Conditions): number {
    const required = conditions.required.map((text) => this.takePhrase(`t${text}`))
    const excluded = conditions.excluded.map((text) => this.takePhrase(`t${text}`))
    const authors = conditions.authors.map((text) => this.takePhrase(`a${text}`))
    const start = this.wordRuns.take(WORDS + required.length + excluded.length + authors.length)
    this.words = grownInt32(this.words, this.wordRuns.needed)
    const head = [conditions.scopes, conditions.all ? 1 : 0, required.length, excluded.length, authors.length]
    this.words.set([...head, ...required, ...excluded, ...authors], start)
    const at = this.ruleRuns.take(RULE_FIELDS)
    this.rules = grownInt32(this.rules, this.ruleRuns.needed)
    this.rules[at] = start
    this.rules[at + 1] = 0
    const rule = at / RULE_FIELDS
    this.ruleRound = grownScratch(this.ruleRound, rule)
    this.ruleAnswer = grownAnswers(this.ruleAnswer, rule)
    this.ruleRound[rule] = 0
    this.ruleByKey.set(key, rule)
    this.keyOfRule.set(rule, key)
    return rule
  }

  private lengthOfRule(start: number): number {
    return WORDS + this.words[start + REQUIRED_COUNT]! + this.words[start + EXCLUDED_COUNT]! + this.words[start + AUTHOR_COUNT]!
  }

  /** The number of a phrase (`t` and its text) or an author (`a` and the entry), with one more rule that names it. */
  private takePhrase(text: string): number {
    const phrase = this.phraseByText.get(text) ?? this.addPhrase(text)
    this.phrases[PHRASE_FIELDS * phrase + 3]! += 1
    return phrase
  }

  private addPhrase(text: string): number {
    const { characters, packed, hash } = isAuthorText(text) ? authorEntry(text.slice(1)) : this.termEntry(text.slice(1))
    const offset = this.poolRuns.take(characters.length)
    this.pool = grownUint16(this.pool, this.poolRuns.needed)
    this.pool.set(characters, offset)
    const at = this.phraseRuns.take(PHRASE_FIELDS)
    this.phrases = grownInt32(this.phrases, this.phraseRuns.needed)
    this.phrases.set([offset, packed, hash, 0], at)
    const phrase = at / PHRASE_FIELDS
    this.phraseRound = grownScratch(this.phraseRound, phrase)
    this.phraseAnswer = grownAnswers(this.phraseAnswer, phrase)
    this.phraseRound[phrase] = 0
    this.phraseByText.set(text, phrase)
    this.textOfPhrase.set(phrase, text)
    return phrase
  }

  private termEntry(folded: string): PhraseEntry {
    const { packed, units, offset, path } = this.reader.wildcard(folded)
    return { characters: units.subarray(offset, offset + lengthOf(packed)), packed, hash: path[0]! }
  }

  private releasePhrase(phrase: number): void {
    const at = PHRASE_FIELDS * phrase
    this.phrases[at + 3]! -= 1
    if (this.phrases[at + 3]! > 0) return
    const text = this.textOfPhrase.get(phrase)!
    const length = isAuthorText(text) ? this.phrases[at + 1]! : lengthOf(this.phrases[at + 1]!)
    this.poolRuns.give(this.phrases[at]!, length)
    this.phraseRuns.give(at, PHRASE_FIELDS)
    this.phraseByText.delete(text)
    this.textOfPhrase.delete(phrase)
    this.phraseRound[phrase] = 0
  }
}

function isAuthorText(text: string): boolean {
  return text.startsWith('a')
}

function authorEntry(text: string): PhraseEntry {
  const characters = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return { characters, packed: text.length, hash: textHash(text) }
}

function textHash(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

function grownScratch(array: Int32Array, index: number): Int32Array {
  if (index < array.length) return array
  const grown = new Int32Array(2 * index)
  grown.set(array)
  return grown
}

function grownAnswers(array: Uint8Array, index: number): Uint8Array {
  if (index < array.length) return array
  const grown = new Uint8Array(2 * index)
  grown.set(array)
  return grown
}
