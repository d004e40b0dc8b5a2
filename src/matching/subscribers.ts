import { grownInt32, sharedInt32 } from './memory.ts'
import { NONE } from './token-trie.ts'

/**
 * Of each subscriber: the next and the one before of the same term, the term, twice the number of its rules (plus 1
 * when the case of the term counts), four words of its id.
 */
export const SUBSCRIBER_FIELDS = 8
export const SUBSCRIBER_NEXT = 0
export const SUBSCRIBER_RULES = 3
const FIELDS = SUBSCRIBER_FIELDS
const NEXT = SUBSCRIBER_NEXT
const BEFORE = 1
const TERM = 2
const RULES = SUBSCRIBER_RULES
const ID = 4

const UUID_LENGTH = 36
/** Ids handed out again and again are kept as strings; a power of two. */
const KEPT_IDS = 1 << 16

/**
 * Who wants which term under which rules. An id that is a UUID is kept as its 16 bytes, any other as a string beside.
 * The subscribers of a term are a list linked both ways, so that one of many thousands leaves at once.
 */
export class Subscribers {
  records = sharedInt32(FIELDS * 64)
  count = 0
  private end = 0
  private free = NONE
  /**
   * Open addressing over the words of UUIDs, a power of two in length: 0, or the subscriber plus 1 in the bits of the
   * mask and above them those of the id's hash, so that the record of another subscriber is hardly ever read.
   */
  private slots = sharedInt32(64)
  private readonly byText = new Map<string, number>()
  private readonly texts = new Map<number, string>()
  /** The id that was read last, whether it is a UUID, and its words if so: a change asks about one id several times. */
  private parsed = ''
  private parsedUuid = false
  private readonly words = new Int32Array(4)
  private hash = 0
  private readonly keptOwner = new Int32Array(KEPT_IDS).fill(NONE)
  private readonly kept: string[] = new Array(KEPT_IDS).fill('')

  get bytes(): number {
    return this.records.byteLength + this.slots.byteLength
  }

  /** Makes room for this many more subscribers. */
  reserve(subscribers: number): void {
    this.records = grownInt32(this.records, FIELDS * (this.end + subscribers))
    this.widen(this.end + subscribers)
  }

  /** The numbers of all, in no particular order. */
  *all(): Iterable<number> {
    const mask = this.slots.length - 1
    for (const entry of this.slots) if (entry !== 0) yield (entry & mask) - 1
    yield* this.texts.keys()
  }

  /** The number of the subscriber with this id, or NONE. */
  find(id: string): number {
    if (!this.isUuid(id)) return this.byText.get(id) ?? NONE
    return (this.slots[this.slotOf()]! & (this.slots.length - 1)) - 1
  }

  /** Reads where an id would be found, only to have it in the cache when it is looked up. */
  fetch(id: string): number {
    return this.isUuid(id) ? this.slots[this.hash & (this.slots.length - 1)]! : 0
  }

  /** Adds a subscriber with a new id at the head of a term's list. */
  add(id: string, rules: number, term: number, head: number): number {
    const subscriber = this.takeRecord()
    const at = FIELDS * subscriber
    const { records } = this
    records[at + NEXT] = head
    records[at + BEFORE] = NONE
    records[at + TERM] = term
    records[at + RULES] = rules
    if (head !== NONE) records[FIELDS * head + BEFORE] = subscriber
    this.count += 1
    if (this.isUuid(id)) {
      this.widen(this.end)
      for (let word = 0; word < 4; word += 1) records[at + ID + word] = this.words[word]!
      this.fillSlot(this.slotOf(), subscriber, this.hash)
    } else {
      this.byText.set(id, subscriber)
      this.texts.set(subscriber, id)
      records.fill(0, at + ID, at + FIELDS)
    }
    return subscriber
  }

  /** Forgets a subscriber and answers who followed it in its list. */
  remove(id: string, subscriber: number): number {
    const { records } = this
    const at = FIELDS * subscriber
    const next = records[at + NEXT]!
    const before = records[at + BEFORE]!
    if (next !== NONE) records[FIELDS * next + BEFORE] = before
    if (before >= 0) records[FIELDS * before + NEXT] = next
    if (this.texts.delete(subscriber)) this.byText.delete(id)
    else this.vacate(id)
    if (this.keptOwner[subscriber & (KEPT_IDS - 1)] === subscriber) this.keptOwner[subscriber & (KEPT_IDS - 1)] = NONE
    records[at + NEXT] = this.free
    this.free = subscriber
    this.count -= 1
    return next
  }

  isFirst(subscriber: number): boolean {
    return this.records[FIELDS * subscriber + BEFORE] === NONE
  }

  rules(subscriber: number): number {
    return this.records[FIELDS * subscriber + RULES]!
  }

  term(subscriber: number): number {
    return this.records[FIELDS * subscriber + TERM]!
  }

  id(subscriber: number): string {
    const place = subscriber & (KEPT_IDS - 1)
    if (this.keptOwner[place] === subscriber) {
      // Kept only when it is asked for a second time: keeping every id would cost more than making it.
      if (this.kept[place] === '') this.kept[place] = this.made(subscriber)
      return this.kept[place]!
    }
    this.keptOwner[place] = subscriber
    this.kept[place] = ''
    return this.made(subscriber)
  }

  /** The id anew, for who asks for all of them. */
  made(subscriber: number): string {
    if (this.texts.size > 0) {
      const text = this.texts.get(subscriber)
      if (text !== undefined) return text
    }
    const { records } = this
    const at = FIELDS * subscriber + ID
    write(0, records[at]! >>> 16)
    write(4, records[at]! & 0xffff)
    write(9, records[at + 1]! >>> 16)
    write(14, records[at + 1]! & 0xffff)
    write(19, records[at + 2]! >>> 16)
    write(24, records[at + 2]! & 0xffff)
    write(28, records[at + 3]! >>> 16)
    write(32, records[at + 3]! & 0xffff)
    return TEXT.latin1Slice(0, UUID_LENGTH)
  }

  private takeRecord(): number {
    if (this.free !== NONE) {
      const subscriber = this.free
      this.free = this.records[FIELDS * subscriber + NEXT]!
      return subscriber
    }
    this.end += 1
    this.records = grownInt32(this.records, FIELDS * this.end)
    return this.end - 1
  }

  /** Whether an id is a canonical lower-case UUID, which is then in `words`. */
  private isUuid(id: string): boolean {
    if (id !== this.parsed) {
      this.parsedUuid = this.parse(id)
      this.parsed = id
      const { words } = this
      this.hash = mixed(words[0]!, words[1]!, words[2]!, words[3]!)
    }
    return this.parsedUuid
  }

  private parse(id: string): boolean {
    if (id.length !== UUID_LENGTH) return false
    let at = 0
    for (let word = 0; word < 4; word += 1) {
      let value = 0
      for (let digits = 0; digits < 8; at += 1) {
        const unit = id.charCodeAt(at)
        if (at === 8 || at === 13 || at === 18 || at === 23) {
          if (unit !== 0x2d) return false
          continue
        }
        const digit = unit < 0x3a ? unit - 0x30 : unit > 0x60 ? unit - 0x57 : NONE
        if (digit < 0 || digit > 15) return false
        value = (value << 4) | digit
        digits += 1
      }
      this.words[word] = value
    }
    return true
  }

  /** The slot that holds the id in `words`, or the free one where it belongs. */
  private slotOf(): number {
    const { slots, hash } = this
    const mask = slots.length - 1
    let slot = hash & mask
    for (;;) {
      const entry = slots[slot]!
      if (entry === 0 || (((entry ^ hash) & ~mask) === 0 && this.hasWords((entry & mask) - 1))) return slot
      slot = (slot + 1) & mask
    }
  }

  private hasWords(subscriber: number): boolean {
    const { records, words } = this
    const at = FIELDS * subscriber + ID
    return records[at] === words[0] && records[at + 1] === words[1] && records[at + 2] === words[2] && records[at + 3] === words[3]
  }

  private fillSlot(slot: number, subscriber: number, hash: number): void {
    this.slots[slot] = (hash & ~(this.slots.length - 1)) | (subscriber + 1)
  }

  /** Frees the slot of an id and moves up those behind it that would not be found any more. */
  private vacate(id: string): void {
    this.isUuid(id)
    const { slots } = this
    const mask = slots.length - 1
    let hole = this.slotOf()
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const wanted = this.hashOf((slots[slot]! & mask) - 1) & mask
      if (((slot - wanted) & mask) >= ((slot - hole) & mask)) {
        slots[hole] = slots[slot]!
        hole = slot
      }
    }
    slots[hole] = 0
  }

  private hashOf(subscriber: number): number {
    const at = FIELDS * subscriber + ID
    const { records } = this
    return mixed(records[at]!, records[at + 1]!, records[at + 2]!, records[at + 3]!)
  }

  /** Sees to it that the slots are at most half full with this many records, and that the number of each fits below the mask. */
  private widen(records: number): void {
    const { slots } = this
    let length = slots.length
    while (length < 2 * records) length *= 2
    if (length > slots.length) this.spread(length)
  }

  private spread(length: number): void {
    const { slots } = this
    this.slots = sharedInt32(length)
    const mask = length - 1
    for (const entry of slots) {
      if (entry === 0) continue
      const subscriber = (entry & (slots.length - 1)) - 1
      const hash = this.hashOf(subscriber)
      let slot = hash & mask
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask
      this.fillSlot(slot, subscriber, hash)
    }
  }
}

const TEXT = Buffer.from('00000000-0000-0000-0000-000000000000') as Buffer & { latin1Slice(from: number, to: number): string }
/** The two hexadecimal digits of each byte. */
const DIGITS = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''))

/** Writes four hexadecimal digits. */
function write(at: number, value: number): void {
  const high = (value >>> 8) << 1
  const low = (value & 0xff) << 1
  TEXT[at] = DIGITS[high]!
  TEXT[at + 1] = DIGITS[high + 1]!
  TEXT[at + 2] = DIGITS[low]!
  TEXT[at + 3] = DIGITS[low + 1]!
}

function mixed(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ 0x243f6a88, 0x9e3779b1) ^ b
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ c
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ d
  hash = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1)
  return hash ^ (hash >>> 15)
}
