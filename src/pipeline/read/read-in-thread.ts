import type { MessagePort } from 'node:worker_threads'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import type { MatchReader } from '../../matching/index.ts'
import { isFeed, type Source, SourceFault } from '../../sources/contract.ts'
import { LEFT_OUT_MS, RejectionSample } from '../watch/rejection-sample.ts'
import { sampleOf } from '../watch/word-flow.ts'
import { type ContextFor, reduce, sourceBatches } from './read.ts'
import { CREDITS, type Failure, type FromThread, type Handed, type ToThread } from './thread-messages.ts'

export interface ThreadOptions {
  sources: readonly Source[]
  contextFor: ContextFor
  matcher: Pick<MatchReader, 'matchOwned' | 'dropped' | 'drops' | 'tellOfAll'>
  clock: Pick<Clock, 'monotonicMs'>
}

export function readForOthers(port: Pick<MessagePort, 'postMessage' | 'on'>, options: ThreadOptions): void {
  const runs = new Map<number, Run>()
  const match = createMatching(options)
  const tell = (message: FromThread) => port.postMessage(message)
  port.on('message', (message: ToThread) => {
    if (message.kind === 'taken') return runs.get(message.run)?.taken()
    if (message.kind === 'end') return runs.get(message.run)?.end()
    const { run } = message
    const item = new Run()
    runs.set(run, item)
    void read(message, item, { ...options, match }, (handed) => tell({ kind: 'batch', run, handed }))
      .then(
        () => tell({ kind: 'ended', run, failure: null }),
        (error: unknown) => tell({ kind: 'ended', run, failure: failureOf(error) }),
      )
      .finally(() => runs.delete(run))
  })
}

/** Limited by the credits of the other side (backpressure). */
class Run {
  private readonly ending = new AbortController()
  private readonly changed = new Condition()
  private credits = CREDITS

  get signal(): AbortSignal {
    return this.ending.signal
  }

  taken(): void {
    this.credits += 1
    this.changed.notify()
  }

  end(): void {
    this.ending.abort()
    this.changed.notify()
  }

  async credit(): Promise<void> {
    await this.changed.until(() => this.credits > 0 || this.signal.aborted)
    this.credits -= 1
  }
}

async function read(
  { platform, at, cursor }: Extract<ToThread, { kind: 'begin' }>,
  run: Run,
  { sources, contextFor, match }: ThreadOptions & { match: Matching },
  hand: (handed: Handed) => void,
): Promise<void> {
  const source = sources.filter(isFeed).find((source) => source.platform === platform)
  if (source === undefined) throw new Error(`this thread cannot read ${platform}`)
  for await (const batch of sourceBatches(source, contextFor(source, at, run.signal), cursor)) {
    const { posts, goneIds, goneAuthors, newestAt, read } = reduce(batch)
    const { wanted, dropped } = match(posts)
    await run.credit()
    if (run.signal.aborted) return
    hand({
      wanted,
      dropped,
      sampled: sampleOf(posts),
      goneIds: [...goneIds],
      goneAuthors: [...goneAuthors],
      cursor: batch.cursor,
      newestAt,
      posts: read,
    })
  }
}

/** Posts per batch that are checked for dropping keywords, which costs as much as another match. */
const LOOKS_PER_BATCH = 20

type Matching = (posts: readonly Post[]) => Pick<Handed, 'wanted' | 'dropped'>

/** A keyword whose sample is full costs the others no check. */
function createMatching({ matcher, clock }: Pick<ThreadOptions, 'matcher' | 'clock'>): Matching {
  const sample = new RejectionSample(clock)
  let toldOfAllMs = clock.monotonicMs()
  return (posts) => {
    const nowMs = clock.monotonicMs()
    if (nowMs - toldOfAllMs >= LEFT_OUT_MS) {
      matcher.tellOfAll()
      toldOfAllMs = nowMs
    }
    sample.tidy()
    const wanted: Handed['wanted'] = []
    const dropped: Handed['dropped'] = []
    let looks = 0
    for (const post of posts) {
      const text = searchedTextOf(post)
      const found = matcher.matchOwned(text)
      if (matcher.dropped > 0 && looks < LOOKS_PER_BATCH) {
        looks += 1
        const id = postId(post.platform, post.nativeId)
        const drops = matcher.drops(text, sample.wants).filter((drop) => sample.take(drop.id, id))
        if (drops.length > 0) dropped.push({ post, drops })
      }
      if (found.ids.length > 0) wanted.push({ post, found })
    }
    return { wanted, dropped }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof SourceFault)
    return { kind: 'fault', fault: error.kind, message: error.message, retryAfterSeconds: error.retryAfterSeconds }
  if (error instanceof Error) return { kind: 'defect', message: error.message, stack: error.stack ?? null }
  return { kind: 'defect', message: String(error), stack: null }
}
