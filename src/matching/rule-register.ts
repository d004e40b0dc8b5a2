import { type Conditions, conditionsKey, conditionsOf, keyOf } from './conditions.ts'
import type { MatchRules } from './contract.ts'
import { bufferOf, grownInt32, grownUint16, Runs, stayingInt32, stayingUint16 } from './memory.ts'
import { lengthOf, PhraseReader } from './phrase.ts'
import {
  PHRASE_FIELDS,
  RULE_ALL,
  RULE_AUTHORS,
  RULE_EXCLUDED,
  RULE_FIELDS,
  RULE_REQUIRED,
  RULE_SCOPES,
  RULE_WORDS,
  type RuleArrays,
  RuleBook,
  textHash,
} from './rule-book.ts'
import { bytesOf, int32From, jsonBytes, numberedTexts, type SavedState, uint16From } from './snapshot.ts'

interface PhraseEntry {
  characters: Uint16Array
  packed: number
  hash: number
}

/** A validated rule, before anything is changed for it. */
export interface PlannedRule {
  key: string
  /** Its number when the rule exists, else -1; the other fields then say how to add it. */
  rule: number
  conditions: Conditions | null
  entries: Map<string, PhraseEntry>
}

const NO_ENTRIES = new Map<string, PhraseEntry>()

/** The rules of the writer. Equal rules, however written, are stored once. */
export class RuleRegister extends RuleBook {
  private readonly reader: PhraseReader
  private ruleRuns = new Runs()
  private wordRuns = new Runs()
  private phraseRuns = new Runs()
  private poolRuns = new Runs()
  private readonly ruleByKey = new Map<string, number>()
  private readonly phraseByText = new Map<string, number>()
  /** The text of a phrase with the prefix `t`, of an author with the prefix `a`. */
  private readonly textOfPhrase = new Map<number, string>()

  constructor(multiplier: number) {
    super()
    this.reader = new PhraseReader(multiplier)
  }

  get bytes(): number {
    return this.rules.byteLength + this.words.byteLength + this.phrases.byteLength + this.pool.byteLength
  }

  get arrays(): RuleArrays {
    return { rules: this.rules, words: this.words, phrases: this.phrases, pool: this.pool }
  }

  /** From here on the arrays that other threads read do not move. */
  share(): void {
    this.use({
      rules: stayingInt32(this.rules),
      words: stayingInt32(this.words),
      phrases: stayingInt32(this.phrases),
      pool: stayingUint16(this.pool),
    })
  }

  get buffers() {
    return {
      rules: bufferOf(this.rules),
      words: bufferOf(this.words),
      phrases: bufferOf(this.phrases),
      pool: bufferOf(this.pool),
    }
  }

  /** The length of all arrays together. */
  get length(): number {
    return this.rules.length + this.words.length + this.phrases.length + this.pool.length
  }

  /** Throws RangeError when a phrase is too long. */
  plan(rules: MatchRules): PlannedRule {
    const key = conditionsKey(rules)
    const rule = this.ruleByKey.get(key) ?? -1
    if (rule >= 0) return { key, rule, conditions: null, entries: NO_ENTRIES }
    const conditions = conditionsOf(rules)
    const entries = new Map<string, PhraseEntry>()
    for (const text of textsOf(conditions)) if (!this.phraseByText.has(text)) entries.set(text, this.entry(text))
    return { key, rule, conditions, entries }
  }

  /** Returns the rule's number and adds one use. */
  take(planned: PlannedRule): number {
    const { conditions } = planned
    const rule = conditions === null ? planned.rule : this.add(planned, conditions)
    this.rules[RULE_FIELDS * rule + 1]! += 1
    return rule
  }

  /** Removes one use; a rule without uses is deleted. */
  release(rule: number): void {
    const at = RULE_FIELDS * rule
    this.rules[at + 1]! -= 1
    if (this.rules[at + 1]! > 0) return
    this.ruleByKey.delete(this.key(rule))
    const start = this.rules[at]!
    const length = this.lengthOfRule(start)
    for (let word = start + RULE_WORDS; word < start + length; word += 1) this.releasePhrase(this.words[word]!)
    this.wordRuns.give(start, length)
    this.ruleRuns.give(at, RULE_FIELDS)
  }

  key(rule: number): string {
    const { words } = this
    const start = this.rules[RULE_FIELDS * rule]!
    const required = start + RULE_WORDS
    const excluded = required + words[start + RULE_REQUIRED]!
    const authors = excluded + words[start + RULE_EXCLUDED]!
    const texts = (from: number, to: number) =>
      Array.from(words.subarray(from, to), (phrase) => this.textOfPhrase.get(phrase)!.slice(1))
    return keyOf({
      scopes: words[start + RULE_SCOPES]!,
      all: words[start + RULE_ALL] === 1,
      required: texts(required, excluded),
      excluded: texts(excluded, authors),
      authors: texts(authors, start + this.lengthOfRule(start)),
    })
  }

  save(): SavedState {
    const { ruleRuns, wordRuns, phraseRuns, poolRuns } = this
    return {
      numbers: {},
      arrays: {
        'rules.rules': bytesOf(this.rules, ruleRuns.needed),
        'rules.words': bytesOf(this.words, wordRuns.needed),
        'rules.phrases': bytesOf(this.phrases, phraseRuns.needed),
        'rules.pool': bytesOf(this.pool, poolRuns.needed),
        'rules.free': bytesOf(ruleRuns.toNumbers()),
        'rules.freeWords': bytesOf(wordRuns.toNumbers()),
        'rules.freePhrases': bytesOf(phraseRuns.toNumbers()),
        'rules.freePool': bytesOf(poolRuns.toNumbers()),
        'rules.texts': jsonBytes([...this.phraseByText]),
      },
    }
  }

  /** False when the saved state is invalid. */
  load({ arrays }: SavedState): boolean {
    const { 'rules.rules': rules, 'rules.words': words, 'rules.phrases': phrases, 'rules.pool': pool } = arrays
    const runs = ['rules.free', 'rules.freeWords', 'rules.freePhrases', 'rules.freePool'].map(
      (name) => arrays[name] && Runs.fromNumbers(int32From(arrays[name])),
    )
    const [ruleRuns, wordRuns, phraseRuns, poolRuns] = runs
    const texts = numberedTexts(arrays['rules.texts'] ?? new Uint8Array(0))
    if (!rules || !words || !phrases || !pool || !ruleRuns || !wordRuns || !phraseRuns || !poolRuns || texts === null)
      return false
    if (rules.length !== 4 * ruleRuns.needed || words.length !== 4 * wordRuns.needed) return false
    if (phrases.length !== 4 * phraseRuns.needed || pool.length !== 2 * poolRuns.needed) return false
    this.ruleRuns = ruleRuns
    this.wordRuns = wordRuns
    this.phraseRuns = phraseRuns
    this.poolRuns = poolRuns
    this.use({
      rules: int32From(rules, RULE_FIELDS * 16),
      words: int32From(words, 64),
      phrases: int32From(phrases, PHRASE_FIELDS * 16),
      pool: uint16From(pool, 256),
    })
    for (const [text, phrase] of texts) {
      this.phraseByText.set(text, phrase)
      this.textOfPhrase.set(phrase, text)
    }
    for (let at = 0; at < ruleRuns.needed; at += RULE_FIELDS)
      if (this.rules[at + 1]! > 0) this.ruleByKey.set(this.key(at / RULE_FIELDS), at / RULE_FIELDS)
    return true
  }

  private add({ key, entries }: PlannedRule, conditions: Conditions): number {
    const phrases = textsOf(conditions).map((text) => this.takePhrase(text, entries))
    const start = this.wordRuns.take(RULE_WORDS + phrases.length)
    this.words = grownInt32(this.words, this.wordRuns.needed)
    const { scopes, all, required, excluded, authors } = conditions
    this.words.set([scopes, all ? 1 : 0, required.length, excluded.length, authors.length, ...phrases], start)
    const at = this.ruleRuns.take(RULE_FIELDS)
    this.rules = grownInt32(this.rules, this.ruleRuns.needed)
    this.rules[at] = start
    this.rules[at + 1] = 0
    this.use(this.arrays)
    const rule = at / RULE_FIELDS
    this.ruleByKey.set(key, rule)
    return rule
  }

  private lengthOfRule(start: number): number {
    return (
      RULE_WORDS +
      this.words[start + RULE_REQUIRED]! +
      this.words[start + RULE_EXCLUDED]! +
      this.words[start + RULE_AUTHORS]!
    )
  }

  /** Returns the phrase's number and adds one use. */
  private takePhrase(text: string, entries: Map<string, PhraseEntry>): number {
    const phrase = this.phraseByText.get(text) ?? this.addPhrase(text, entries.get(text)!)
    this.phrases[PHRASE_FIELDS * phrase + 3]! += 1
    return phrase
  }

  private addPhrase(text: string, { characters, packed, hash }: PhraseEntry): number {
    const offset = this.poolRuns.take(characters.length)
    this.pool = grownUint16(this.pool, this.poolRuns.needed)
    this.pool.set(characters, offset)
    const at = this.phraseRuns.take(PHRASE_FIELDS)
    this.phrases = grownInt32(this.phrases, this.phraseRuns.needed)
    this.phrases.set([offset, packed, hash, 0], at)
    const phrase = at / PHRASE_FIELDS
    this.phraseByText.set(text, phrase)
    this.textOfPhrase.set(phrase, text)
    return phrase
  }

  private entry(text: string): PhraseEntry {
    if (isAuthor(text))
      return { characters: charactersOf(text.slice(1)), packed: text.length - 1, hash: textHash(text.slice(1)) }
    const { packed, units, offset, path } = this.reader.wildcard(text.slice(1))
    return { characters: units.slice(offset, offset + lengthOf(packed)), packed, hash: path[0]! }
  }

  private releasePhrase(phrase: number): void {
    const at = PHRASE_FIELDS * phrase
    this.phrases[at + 3]! -= 1
    if (this.phrases[at + 3]! > 0) return
    const text = this.textOfPhrase.get(phrase)!
    this.poolRuns.give(this.phrases[at]!, isAuthor(text) ? this.phrases[at + 1]! : lengthOf(this.phrases[at + 1]!))
    this.phraseRuns.give(at, PHRASE_FIELDS)
    this.phraseByText.delete(text)
    this.textOfPhrase.delete(phrase)
  }
}

function textsOf({ required, excluded, authors }: Conditions): string[] {
  return [
    ...required.map((text) => `t${text}`),
    ...excluded.map((text) => `t${text}`),
    ...authors.map((text) => `a${text}`),
  ]
}

function isAuthor(text: string): boolean {
  return text.startsWith('a')
}

function charactersOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
}
