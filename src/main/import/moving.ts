import { type JsonClient, problemOf } from './json-client.ts'

/** What became of one thing. */
export interface Moved {
  made: number
  there: number
  failed: number
  /** What was not moved, or not whole, with the reason. */
  left: string[]
}

/** Makes things here, or tells what it would make, and notes what is left. */
export class Moving {
  readonly moved: Moved = { made: 0, there: 0, failed: 0, left: [] }

  constructor(
    private readonly ours: JsonClient,
    private readonly apply: boolean,
    private readonly say: (line: string) => void,
  ) {}

  /** Whether nothing is sent. */
  get rehearses(): boolean {
    return !this.apply
  }

  /** The answer's body; null when nothing was sent, or it was refused. */
  async make(what: string, method: string, path: string, body: unknown): Promise<unknown> {
    if (!this.apply) {
      this.moved.made += 1
      this.say(`would make ${what}`)
      return null
    }
    const answer = await this.ours.ask(method, path, body)
    if (answer.status >= 300) {
      this.moved.failed += 1
      this.leave(what, problemOf(answer))
      return null
    }
    this.moved.made += 1
    this.say(`made ${what}`)
    return answer.body
  }

  /** Things of one request; null where it was refused, of which nothing is noted. */
  async makeTogether(things: readonly string[], method: string, path: string, body: unknown): Promise<unknown> {
    const answer = this.apply ? await this.ours.ask(method, path, body) : { status: 200, body: {} }
    if (answer.status >= 300) return null
    this.moved.made += things.length
    for (const what of things) this.say(`${this.apply ? 'made' : 'would make'} ${what}`)
    return answer.body
  }

  /** Something that needs no line of its own, such as the state of a thing that was just made. */
  async follow(what: string, method: string, path: string, body: unknown): Promise<void> {
    if (!this.apply) return
    const answer = await this.ours.ask(method, path, body)
    if (answer.status >= 300) this.leave(what, problemOf(answer))
  }

  isThere(what: string): void {
    this.moved.there += 1
    this.say(`${what} is here already`)
  }

  leave(what: string, reason: string): void {
    this.moved.left.push(`${what}: ${reason}`)
  }
}
