import { bufferOf, grownInt32, sharedInt32, stayingInt32 } from './memory.ts'
import { bytesOf, int32From, isPowerOfTwo, jsonBytes, numberedTexts, type SavedState } from './snapshot.ts'
import * as layout from './subscribers.ts'
import { parseUuid, Subscribers, uuidOf } from './subscribers.ts'
import { NONE } from './token-trie.ts'

// Copied for speed: see characters.ts.
const FIELDS = layout.SUBSCRIBER_FIELDS
const NEXT = layout.SUBSCRIBER_NEXT
const BEFORE = layout.SUBSCRIBER_BEFORE
const TERM = layout.SUBSCRIBER_TERM
const RULES = layout.SUBSCRIBER_RULES
const ID = layout.SUBSCRIBER_ID
/** The largest stored probe distance: three bits. */
const FAR = 7

/** A UUID is stored as 16 bytes, any other id as a string. */
export class SubscriberRegister extends Subscribers {
  count = 0
  private end = 0
  private free = NONE
  /**
   * Open addressing: 0, or the subscriber plus 1 below the mask, above it the probe distance and bits of the hash, so
   * that records of other subscribers are hardly ever read.
   */
  private slots = sharedInt32(64)
  private readonly byText = new Map<string, number>()
  private readonly texts = new Map<number, string>()
  /** A change asks about one id several times. */
  private parsed = ''
  private parsedUuid = false
  private readonly words = new Int32Array(4)
  private hash = 0

  get bytes(): number {
    return this.records.byteLength + this.owners.byteLength + this.slots.byteLength
  }

  get anyText(): string | undefined {
    return this.byText.keys().next().value
  }

  /** Arrays that other threads read no longer move. */
  share(): void {
    this.records = stayingInt32(this.records)
    this.owners = stayingInt32(this.owners)
  }

  get buffers() {
    return { records: bufferOf(this.records), owners: bufferOf(this.owners) }
  }

  reserve(subscribers: number): void {
    this.records = grownInt32(this.records, FIELDS * (this.end + subscribers))
    this.owners = grownInt32(this.owners, this.end + subscribers)
    this.widen(this.end + subscribers)
  }

  /** Subscribers added or removed meanwhile may be missing or not. */
  *all(): Generator<number, void, undefined> {
    for (let subscriber = 0; subscriber < this.end; subscriber += 1)
      if (this.rules(subscriber) !== NONE) yield subscriber
  }

  /** NONE when unknown. */
  find(id: string): number {
    if (!this.isUuid(id)) return this.byText.get(id) ?? NONE
    return (this.slots[this.slotOf()]! & (this.slots.length - 1)) - 1
  }

  fetch(id: string): number {
    return this.isUuid(id) ? this.slots[this.hash & (this.slots.length - 1)]! : 0
  }

  add(id: string, rules: number, owner: number, term: number, head: number): number {
    const subscriber = this.takeRecord()
    const at = FIELDS * subscriber
    const { records } = this
    records[at + NEXT] = head
    records[at + BEFORE] = head === NONE ? -2 - subscriber : records[FIELDS * head + BEFORE]!
    records[at + TERM] = term
    records[at + RULES] = rules
    this.owners[subscriber] = owner
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

  /** Returns the successor in the list that starts with `first`. */
  remove(id: string, subscriber: number, first: number): number {
    const { records } = this
    const at = FIELDS * subscriber
    const next = records[at + NEXT]!
    const before = records[at + BEFORE]!
    if (next !== NONE) records[FIELDS * next + BEFORE] = before
    else if (before >= 0) records[FIELDS * first + BEFORE] = -2 - before
    if (before >= 0) records[FIELDS * before + NEXT] = next
    if (this.texts.delete(subscriber)) this.byText.delete(id)
    else this.vacate(id)
    records[at + RULES] = NONE
    records[at + NEXT] = this.free
    this.free = subscriber
    this.count -= 1
    return next
  }

  owner(subscriber: number): number {
    return this.owners[subscriber]!
  }

  rules(subscriber: number): number {
    return this.records[FIELDS * subscriber + RULES]!
  }

  term(subscriber: number): number {
    return this.records[FIELDS * subscriber + TERM]!
  }

  override id(subscriber: number): string {
    return (this.texts.size > 0 ? this.texts.get(subscriber) : undefined) ?? super.id(subscriber)
  }

  /** Without the cache, for iteration over all ids. */
  made(subscriber: number): string {
    return (
      (this.texts.size > 0 ? this.texts.get(subscriber) : undefined) ?? uuidOf(this.records, FIELDS * subscriber + ID)
    )
  }

  save(): SavedState {
    return {
      numbers: { 'subscribers.count': this.count, 'subscribers.end': this.end, 'subscribers.free': this.free },
      arrays: {
        'subscribers.records': bytesOf(this.records, FIELDS * this.end),
        'subscribers.owners': bytesOf(this.owners, this.end),
        'subscribers.slots': bytesOf(this.slots),
        'subscribers.texts': jsonBytes([...this.byText]),
      },
    }
  }

  /** False when invalid. */
  load({ numbers, arrays }: SavedState): boolean {
    const {
      'subscribers.records': records,
      'subscribers.owners': owners,
      'subscribers.slots': slots,
      'subscribers.texts': texts = new Uint8Array(0),
    } = arrays
    const ids = numberedTexts(texts)
    const end = numbers['subscribers.end'] ?? -1
    if (
      !records ||
      !owners ||
      !slots ||
      records.length !== 4 * FIELDS * end ||
      owners.length !== 4 * end ||
      ids === null
    )
      return false
    if (slots.length % 4 !== 0 || !isPowerOfTwo(slots.length / 4) || slots.length / 4 <= end) return false
    this.records = int32From(records, FIELDS * 64)
    this.owners = int32From(owners, 64)
    this.slots = int32From(slots)
    this.end = end
    this.free = numbers['subscribers.free'] ?? NONE
    this.count = numbers['subscribers.count'] ?? 0
    for (const [id, subscriber] of ids) {
      this.byText.set(id, subscriber)
      this.texts.set(subscriber, id)
    }
    return true
  }

  private takeRecord(): number {
    if (this.free !== NONE) {
      const subscriber = this.free
      this.free = this.records[FIELDS * subscriber + NEXT]!
      return subscriber
    }
    this.end += 1
    this.records = grownInt32(this.records, FIELDS * this.end)
    this.owners = grownInt32(this.owners, this.end)
    return this.end - 1
  }

  /** If so, `words` holds it. */
  isUuid(id: string): boolean {
    if (id !== this.parsed) {
      this.parsedUuid = parseUuid(id, this.words)
      this.parsed = id
      const { words } = this
      this.hash = mixed(words[0]!, words[1]!, words[2]!, words[3]!)
    }
    return this.parsedUuid
  }

  /** Or the free slot where it belongs. */
  private slotOf(): number {
    const { slots, hash } = this
    const mask = slots.length - 1
    let slot = hash & mask
    for (let distance = 0; ; distance += 1) {
      const entry = slots[slot]!
      if (entry === 0 || (((entry ^ this.markOf(hash, distance)) & ~mask) === 0 && this.hasWords((entry & mask) - 1)))
        return slot
      slot = (slot + 1) & mask
    }
  }

  private get shift(): number {
    return 31 - Math.clz32(this.slots.length)
  }

  private markOf(hash: number, distance: number): number {
    const { shift } = this
    return (hash & (~FAR << shift)) | (Math.min(distance, FAR) << shift)
  }

  private hasWords(subscriber: number): boolean {
    const { records, words } = this
    const at = FIELDS * subscriber + ID
    return (
      records[at] === words[0] &&
      records[at + 1] === words[1] &&
      records[at + 2] === words[2] &&
      records[at + 3] === words[3]
    )
  }

  private fillSlot(slot: number, subscriber: number, hash: number): void {
    this.slots[slot] = this.markOf(hash, (slot - hash) & (this.slots.length - 1)) | (subscriber + 1)
  }

  /** Moves up slots behind it that could not be found otherwise. */
  private vacate(id: string): void {
    this.isUuid(id)
    const { slots } = this
    const mask = slots.length - 1
    let hole = this.slotOf()
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = slots[slot]!
      const moves = (slot - hole) & mask
      const distance = this.distanceAt(slot)
      if (distance < moves) continue
      slots[hole] = (entry & ~(FAR << this.shift)) | (Math.min(distance - moves, FAR) << this.shift)
      hole = slot
    }
    slots[hole] = 0
  }

  private distanceAt(slot: number): number {
    const { slots } = this
    const mask = slots.length - 1
    const known = (slots[slot]! >>> this.shift) & FAR
    return known < FAR ? known : (slot - this.hashOf((slots[slot]! & mask) - 1)) & mask
  }

  private hashOf(subscriber: number): number {
    const at = FIELDS * subscriber + ID
    const { records } = this
    return mixed(records[at]!, records[at + 1]!, records[at + 2]!, records[at + 3]!)
  }

  /** At most two thirds full, with every number below the mask. */
  private widen(records: number): void {
    const { slots } = this
    let length = slots.length
    while (2 * length < 3 * records) length *= 2
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

function mixed(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ 0x243f6a88, 0x9e3779b1) ^ b
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ c
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ d
  hash = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1)
  return hash ^ (hash >>> 15)
}
