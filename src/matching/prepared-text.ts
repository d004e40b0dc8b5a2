import { FOLDED } from './characters.ts'
import type { MatchText } from './contract.ts'
import { TextScan } from './text-scan.ts'

class Places {
  private heads = new Int32Array(128)
  private following = new Int32Array(128)
  private hashes: Int32Array = new Int32Array(0)

  fill(scan: TextScan): void {
    let slots = this.heads.length
    while (slots < 2 * scan.count) slots *= 2
    if (slots > this.heads.length) {
      this.heads = new Int32Array(slots)
      this.following = new Int32Array(slots)
    }
    this.hashes = scan.hashes
    const { heads, following, hashes } = this
    heads.fill(-1)
    const mask = heads.length - 1
    for (let token = scan.count - 1; token >= 0; token -= 1) {
      const slot = hashes[token]! & mask
      following[token] = heads[slot]!
      heads[slot] = token
    }
  }

  first(hash: number): number {
    return this.same(this.heads[hash & (this.heads.length - 1)]!, hash)
  }

  next(token: number, hash: number): number {
    return this.same(this.following[token]!, hash)
  }

  private same(from: number, hash: number): number {
    let token = from
    while (token >= 0 && this.hashes[token] !== hash) token = this.following[token]!
    return token
  }
}

/** One text to search for phrases; derived forms are made on demand. */
export class SearchedText {
  readonly scan: TextScan
  private readonly placesHeld = new Places()
  private placesReady = false
  private foldedHeld: string | null = null

  constructor(multiplier: number) {
    this.scan = new TextScan(multiplier)
  }

  clear(): void {
    this.scan.clear()
    this.placesReady = false
    this.foldedHeld = null
  }

  get places(): Places {
    if (!this.placesReady) {
      this.placesHeld.fill(this.scan)
      this.placesReady = true
    }
    return this.placesHeld
  }

  /** The folded characters, at the same places as in `scan.units`. */
  get folded(): string {
    if (this.foldedHeld === null) {
      const { units, end } = this.scan
      const folded = new Uint16Array(end + 1)
      for (let at = 0; at <= end; at += 1) folded[at] = FOLDED[units[at]!]!
      this.foldedHeld = Buffer.from(folded.buffer).toString('utf16le')
    }
    return this.foldedHeld
  }
}

/** A post as the rules see it. One object serves post after post. */
export class PreparedText {
  readonly body: SearchedText
  private readonly linksHeld: SearchedText
  private readonly authorHeld: SearchedText
  private linksReady = false
  private authorReady = false
  /** Read once a text, because the caller may compute them on demand. */
  private authorKeysHeld: readonly string[] | null = null
  private post: MatchText = { scope: 0, title: null, text: '', links: [], authorKeys: [], authorName: null }

  constructor(multiplier: number) {
    this.body = new SearchedText(multiplier)
    this.linksHeld = new SearchedText(multiplier)
    this.authorHeld = new SearchedText(multiplier)
  }

  read(post: MatchText): void {
    this.post = post
    this.linksReady = false
    this.authorReady = false
    this.authorKeysHeld = null
    this.body.clear()
    if (post.title !== null) this.body.scan.add(post.title)
    this.body.scan.add(post.text)
  }

  get scopeBit(): number {
    return 1 << this.post.scope
  }

  get authorKeys(): readonly string[] {
    this.authorKeysHeld ??= this.post.authorKeys
    return this.authorKeysHeld
  }

  get hasLinks(): boolean {
    return this.post.links.length > 0
  }

  get hasAuthorName(): boolean {
    return this.post.authorName !== null
  }

  get links(): SearchedText {
    if (!this.linksReady) {
      this.linksHeld.clear()
      for (const link of this.post.links) this.linksHeld.scan.add(link)
      this.linksReady = true
    }
    return this.linksHeld
  }

  get author(): SearchedText {
    if (!this.authorReady) {
      this.authorHeld.clear()
      if (this.post.authorName !== null) this.authorHeld.scan.add(this.post.authorName)
      this.authorReady = true
    }
    return this.authorHeld
  }
}
