import { sharedInt32, sharedUint16 } from './memory.ts'
import { lengthOf } from './phrase.ts'
import { ADDRESS } from './phrase-flags.ts'
import { holdsPhrase } from './phrase-search.ts'
import type { PreparedText } from './prepared-text.ts'

/** 0 when accepted. */
export const VERDICTS = ['accepted', 'scope', 'excluded_author', 'excluded_term', 'required_terms'] as const
export type RuleVerdict = (typeof VERDICTS)[number]
const ACCEPTED = 0
const SCOPE = 1
const EXCLUDED_AUTHOR = 2
const EXCLUDED_TERM = 3
const REQUIRED_TERMS = 4
/** From here on a rule drops the text, not its scope. */
export const FIRST_DROP = EXCLUDED_AUTHOR

/** Place of its characters, packed phrase, first token hash, use count. */
export const PHRASE_FIELDS = 4
/** Place of its words, use count. */
export const RULE_FIELDS = 2
/** Scopes, whether all required terms are needed, three counts, phrase numbers. */
export const RULE_SCOPES = 0
export const RULE_ALL = 1
export const RULE_REQUIRED = 2
export const RULE_EXCLUDED = 3
export const RULE_AUTHORS = 4
export const RULE_WORDS = 5

const IN_TEXT = 1
const IN_AUTHOR = 2

export interface RuleArrays {
  rules: Int32Array
  words: Int32Array
  phrases: Int32Array
  pool: Uint16Array
}

/** Each rule and phrase is evaluated at most once a text. */
export class RuleBook {
  protected rules: Int32Array = sharedInt32(RULE_FIELDS * 16)
  protected words: Int32Array = sharedInt32(64)
  protected phrases: Int32Array = sharedInt32(PHRASE_FIELDS * 16)
  protected pool: Uint16Array = sharedUint16(256)
  /** The number of the text, then the memoised result. */
  private round = 0
  private ruleRound: Int32Array = new Int32Array(16)
  private ruleAnswer: Uint8Array = new Uint8Array(16)
  private phraseRound: Int32Array = new Int32Array(16)
  private phraseAnswer: Uint8Array = new Uint8Array(16)
  private prepared: PreparedText | null = null
  private authorHashes: number[] | null = null

  use({ rules, words, phrases, pool }: RuleArrays): void {
    this.rules = rules
    this.words = words
    this.phrases = phrases
    this.pool = pool
    const ruleRoom = rules.length / RULE_FIELDS
    const phraseRoom = phrases.length / PHRASE_FIELDS
    this.ruleRound = roomyInt32(this.ruleRound, ruleRoom)
    this.ruleAnswer = roomyUint8(this.ruleAnswer, ruleRoom)
    this.phraseRound = roomyInt32(this.phraseRound, phraseRoom)
    this.phraseAnswer = roomyUint8(this.phraseAnswer, phraseRoom)
  }

  /** Ends the memos of earlier texts. */
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

  /** An index into VERDICTS; the term was found already. */
  judge(rule: number): number {
    if (this.ruleRound[rule] === this.round) return this.ruleAnswer[rule]!
    const verdict = this.verdict(this.rules[RULE_FIELDS * rule]!, this.prepared!)
    this.ruleRound[rule] = this.round
    this.ruleAnswer[rule] = verdict
    return verdict
  }

  private verdict(start: number, prepared: PreparedText): number {
    const { words } = this
    if ((words[start + RULE_SCOPES]! & prepared.scopeBit) === 0) return SCOPE
    const required = start + RULE_WORDS
    const excluded = required + words[start + RULE_REQUIRED]!
    const authors = excluded + words[start + RULE_EXCLUDED]!
    const end = authors + words[start + RULE_AUTHORS]!
    // A torn read; the sequence check discards the answer.
    if (end > words.length) return SCOPE
    for (let at = authors; at < end; at += 1) if (this.isAuthor(words[at]!, prepared)) return EXCLUDED_AUTHOR
    for (let at = excluded; at < authors; at += 1) if (this.holds(words[at]!, prepared, true)) return EXCLUDED_TERM
    return this.meetsRequired(required, excluded, words[start + RULE_ALL] === 1, prepared) ? ACCEPTED : REQUIRED_TERMS
  }

  private meetsRequired(from: number, to: number, all: boolean, prepared: PreparedText): boolean {
    if (from === to) return true
    for (let at = from; at < to; at += 1) if (this.holds(this.words[at]!, prepared, false) !== all) return !all
    return all
  }

  /** For an excluded phrase the author's name counts too. */
  private holds(phrase: number, prepared: PreparedText, withAuthor: boolean): boolean {
    if (this.phraseRound[phrase] !== this.round) {
      this.phraseRound[phrase] = this.round
      this.phraseAnswer[phrase] =
        (this.holdsIn(phrase, prepared) ? IN_TEXT : 0) |
        (prepared.hasAuthorName && this.search(phrase, prepared.author) ? IN_AUTHOR : 0)
    }
    return (this.phraseAnswer[phrase]! & (withAuthor ? IN_TEXT | IN_AUTHOR : IN_TEXT)) !== 0
  }

  private holdsIn(phrase: number, prepared: PreparedText): boolean {
    if (this.search(phrase, prepared.body)) return true
    return (
      (this.phrases[PHRASE_FIELDS * phrase + 1]! & ADDRESS) !== 0 &&
      prepared.hasLinks &&
      this.search(phrase, prepared.links)
    )
  }

  private search(phrase: number, text: Parameters<typeof holdsPhrase>[0]): boolean {
    const at = PHRASE_FIELDS * phrase
    const offset = this.phrases[at]!
    const packed = this.phrases[at + 1]!
    const length = lengthOf(packed)
    // Reads stay inside the pool, whatever another thread changes.
    return (
      length > 0 &&
      offset + length <= this.pool.length &&
      holdsPhrase(text, this.pool, offset, packed, this.phrases[at + 2]!)
    )
  }

  private isAuthor(phrase: number, prepared: PreparedText): boolean {
    const at = PHRASE_FIELDS * phrase
    this.authorHashes ??= prepared.authorKeys.map(textHash)
    for (const [key, hash] of this.authorHashes.entries()) {
      if (
        hash === this.phrases[at + 2]! &&
        this.sameText(prepared.authorKeys[key]!, this.phrases[at]!, this.phrases[at + 1]!)
      )
        return true
    }
    return false
  }

  private sameText(text: string, offset: number, length: number): boolean {
    if (text.length !== length) return false
    for (let at = 0; at < length; at += 1) if (text.charCodeAt(at) !== this.pool[offset + at]) return false
    return true
  }
}

export function textHash(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

function roomyInt32(array: Int32Array, least: number): Int32Array {
  if (least <= array.length) return array
  const roomy = new Int32Array(Math.ceil(1.5 * least))
  roomy.set(array)
  return roomy
}

function roomyUint8(array: Uint8Array, least: number): Uint8Array {
  if (least <= array.length) return array
  const roomy = new Uint8Array(Math.ceil(1.5 * least))
  roomy.set(array)
  return roomy
}
