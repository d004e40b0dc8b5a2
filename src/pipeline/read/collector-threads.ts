import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { waitAtMost } from '../../kernel/concurrency/wait-at-most.ts'
import type { Log } from '../../kernel/log.ts'
import type { FeedSource, Source } from '../../sources/contract.ts'
import { addMatched } from '../watch/changes.ts'
import type { Watch } from '../watch/watch.ts'
import type { Brought, Read } from './read.ts'
import { ReadingThread, type ThreadHandle } from './reading-thread.ts'
import type { Handed } from './thread-messages.ts'

export interface ThreadsOptions {
  clock: Clock
  log: Log
  watch: Pick<Watch, 'describe' | 'noteDrops' | 'noteRead'>
  sources: readonly Source[]
  count: number
  spawn(): ThreadHandle
}

const END_WITHIN_MS = 10 * SECOND_MS

/** A dead thread fails its runs and is replaced at the next read. */
export class CollectorThreads {
  private readonly options: ThreadsOptions
  private readonly threads: (ReadingThread | null)[]

  constructor(options: ThreadsOptions) {
    this.options = options
    this.threads = Array.from({ length: options.count }, () => null)
  }

  readonly read: Read = (source, from) => this.readInThread(source, from)

  readonly close = async (): Promise<void> => {
    await Promise.all(this.threads.map((thread) => thread?.terminate()))
  }

  private async *readInThread(
    source: FeedSource,
    { at, cursor, signal }: Parameters<Read>[1],
  ): AsyncGenerator<Brought, void> {
    signal.throwIfAborted()
    const thread = this.threadOf(source)
    const run = thread.begin({ platform: source.platform, at, cursor })
    const quit = () => run.quit()
    signal.addEventListener('abort', quit, { once: true })
    try {
      for (;;) {
        const handed = await run.next()
        if (handed === null) return
        yield broughtFrom(handed, this.options.watch)
        run.taken()
      }
    } finally {
      signal.removeEventListener('abort', quit)
      run.quit()
      // A source has one reader at a time, so the next run must wait for the end of this one.
      if (!(await waitAtMost(run.over, END_WITHIN_MS, this.options.clock))) await thread.terminate()
    }
  }

  private threadOf(source: Source): ReadingThread {
    const { sources, count, spawn, log } = this.options
    const number = sources.findIndex(({ platform }) => platform === source.platform) % count
    const thread = this.threads[number]
    if (thread?.isAlive) return thread
    const made = new ReadingThread(spawn(), log)
    this.threads[number] = made
    return made
  }
}

function broughtFrom(
  { wanted, dropped, sampled, goneIds, goneAuthors, cursor, newestAt, posts }: Handed,
  watch: ThreadsOptions['watch'],
): Brought {
  for (const { post, drops } of dropped) watch.noteDrops(post, drops)
  watch.noteRead(posts, sampled)
  const matched = new Map<string, MatchedPost>()
  for (const { post, found } of wanted) {
    const match = watch.describe(post, found)
    if (match) addMatched(matched, match)
  }
  return { changes: { matched, goneIds: new Set(goneIds), goneAuthors: new Set(goneAuthors) }, cursor, newestAt, posts }
}
