import type { MessagePort } from 'node:worker_threads'
import { searchedTextOf } from '../domain/post/searched-text.ts'
import type { MatchReader } from '../matching/index.ts'
import { isFeed, type Source, SourceFault } from '../sources/contract.ts'
import { batchesOf, type ContextFor, reduce } from './read.ts'
import { CREDITS, type Failure, type FromThread, type Handed, type ToThread } from './thread-messages.ts'

export interface ThreadOptions {
  sources: readonly Source[]
  contextFor: ContextFor
  matcher: Pick<MatchReader, 'matchOwned'>
}

/** Reads sources and matches what they bring, in a thread of its own, for whoever is at the other end of the port. */
export function readForOthers(port: Pick<MessagePort, 'postMessage' | 'on'>, options: ThreadOptions): void {
  const runs = new Map<number, Run>()
  const tell = (message: FromThread) => port.postMessage(message)
  port.on('message', (message: ToThread) => {
    if (message.kind === 'taken') return runs.get(message.run)?.taken()
    if (message.kind === 'end') return runs.get(message.run)?.end()
    const { run } = message
    const one = createRun()
    runs.set(run, one)
    void read(message, one, options, (handed) => tell({ kind: 'batch', run, handed }))
      .then(
        () => tell({ kind: 'ended', run, failure: null }),
        (error: unknown) => tell({ kind: 'ended', run, failure: failureOf(error) }),
      )
      .finally(() => runs.delete(run))
  })
}

interface Run {
  signal: AbortSignal
  /** One batch less is on its way. */
  taken(): void
  end(): void
  /** Resolves when one batch more may be handed over, or the run is to end. */
  credit(): Promise<void>
}

function createRun(): Run {
  const ending = new AbortController()
  let credits = CREDITS
  let wake: () => void = () => undefined
  return {
    signal: ending.signal,
    taken() {
      credits += 1
      wake()
    },
    end() {
      ending.abort()
      wake()
    },
    async credit() {
      while (credits === 0 && !ending.signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      credits -= 1
    },
  }
}

async function read(
  { platform, at, cursor }: Extract<ToThread, { kind: 'begin' }>,
  run: Run,
  { sources, contextFor, matcher }: ThreadOptions,
  hand: (handed: Handed) => void,
): Promise<void> {
  const source = sources.filter(isFeed).find((one) => one.platform === platform)
  if (source === undefined) throw new Error(`this thread cannot read ${platform}`)
  for await (const batch of batchesOf(source, contextFor(source, at, run.signal), cursor)) {
    const { posts, goneIds, goneAuthors, newestAt, read } = reduce(batch)
    const wanted = posts.map((post) => ({ post, found: matcher.matchOwned(searchedTextOf(post)) })).filter(({ found }) => found.ids.length > 0)
    await run.credit()
    if (run.signal.aborted) return
    hand({ wanted, goneIds: [...goneIds], goneAuthors: [...goneAuthors], cursor: batch.cursor, newestAt, posts: read })
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof SourceFault) return { kind: 'fault', fault: error.kind, message: error.message, retryAfterSeconds: error.retryAfterSeconds }
  if (error instanceof Error) return { kind: 'defect', message: error.message, stack: error.stack ?? null }
  return { kind: 'defect', message: String(error), stack: null }
}
