import type { Worker } from 'node:worker_threads'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Source, SourceFault } from '../../sources/contract.ts'
import { addMatched } from '../watch/changes.ts'
import type { Watch } from '../watch/watch.ts'
import type { Brought, Read } from './read.ts'
import type { Failure, FromThread, Handed, ToThread } from './thread-messages.ts'

export interface ThreadsOptions {
  clock: Clock
  log: Log
  watch: Pick<Watch, 'describe' | 'noteDrops' | 'noteRead'>
  /** The sources in the order in which they are dealt out to the threads. */
  sources: readonly Source[]
  /** How many threads, 1 or more. */
  count: number
  /** Begins a thread that calls `readForOthers` with its parent's port. */
  spawn(): ThreadHandle
}

/** What is needed of a worker thread. */
export type ThreadHandle = Pick<Worker, 'postMessage' | 'on' | 'terminate'>

export interface Threads {
  read: Read
  close(): Promise<void>
}

/** How long a thread has to end a run before the thread itself is ended. */
const END_WITHIN_MS = 10 * SECOND_MS

/**
 * Reads and matches in other threads: only what somebody wants, what went, counts and places cross over. A thread that
 * dies fails the runs that it had, and is replaced when one of its sources is read again.
 */
export function createThreads(options: ThreadsOptions): Threads {
  const { clock, log, watch, sources, count, spawn } = options
  const threads: (Thread | null)[] = Array.from({ length: count }, () => null)
  const threadOf = (source: Source): Thread => {
    const number = sources.findIndex(({ platform }) => platform === source.platform) % count
    const thread = threads[number]
    if (thread?.alive) return thread
    const made = createThread(spawn(), log)
    threads[number] = made
    return made
  }
  return {
    async *read(source, { at, cursor, signal }) {
      signal.throwIfAborted()
      const thread = threadOf(source)
      const run = thread.begin({ platform: source.platform, at, cursor })
      signal.addEventListener('abort', run.quit, { once: true })
      try {
        for (;;) {
          const handed = await run.next()
          if (handed === null) return
          yield broughtFrom(handed, watch)
          run.taken()
        }
      } finally {
        signal.removeEventListener('abort', run.quit)
        run.quit()
        // A source serves one reader at a time, so the next one must not begin before this one is over.
        const over = new AbortController()
        const late = clock
          .wait(END_WITHIN_MS, over.signal)
          .then(() => (over.signal.aborted ? undefined : thread.terminate()))
        await Promise.race([run.over, late])
        over.abort()
      }
    },
    async close() {
      await Promise.all(threads.map((thread) => thread?.terminate()))
    },
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

interface Thread {
  readonly alive: boolean
  begin(what: Omit<Extract<ToThread, { kind: 'begin' }>, 'kind' | 'run'>): ThreadRun
  terminate(): Promise<void>
}

interface ThreadRun {
  /** The next batch; null at the end. Rejects with the fault that ended the run. */
  next(): Promise<Handed | null>
  taken(): void
  /** Ends the run from this side: nothing more is taken of it. */
  quit(): void
  /** Resolves when the thread has ended the run, or is no more. */
  over: Promise<void>
}

/** What a run hears of its thread. */
interface Ear {
  batch(handed: Handed): void
  ended(failure: Error | null): void
}

function createThread(worker: ThreadHandle, log: Log): Thread {
  const ears = new Map<number, Ear>()
  let alive = true
  let runs = 0
  const died = (error: Error) => {
    if (alive && ears.size > 0)
      log.error({ err: error }, 'a thread that reads platforms has ended; another one takes its place')
    alive = false
    for (const ear of ears.values()) ear.ended(error)
    ears.clear()
  }
  worker.on('message', (message: FromThread) => {
    const ear = ears.get(message.run)
    if (message.kind === 'batch') return ear?.batch(message.handed)
    ears.delete(message.run)
    ear?.ended(message.failure && errorFrom(message.failure))
  })
  worker.on('error', died)
  worker.on('exit', (code) => died(new Error(`the thread ended with code ${code}`)))
  return {
    get alive() {
      return alive
    },
    begin(what) {
      runs += 1
      const run = runs
      const tell = (message: ToThread) => worker.postMessage(message)
      const { ear, ...others } = createThreadRun(() => tell({ kind: 'end', run }))
      ears.set(run, ear)
      tell({ kind: 'begin', run, ...what })
      return { ...others, taken: () => tell({ kind: 'taken', run }) }
    },
    async terminate() {
      await worker.terminate()
    },
  }
}

/** Batches in the order in which they came, at most as many as the thread has credits; then the end. */
function createThreadRun(tellEnd: () => void): Omit<ThreadRun, 'taken'> & { ear: Ear } {
  const waiting: Handed[] = []
  let quitted = false
  let end: { failure: Error | null } | null = null
  let wake: () => void = () => undefined
  let isOver: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    isOver = resolve
  })
  return {
    over,
    ear: {
      batch(handed) {
        waiting.push(handed)
        wake()
      },
      ended(failure) {
        end ??= { failure }
        wake()
        isOver()
      },
    },
    quit() {
      if (quitted) return
      quitted = true
      tellEnd()
      wake()
    },
    async next() {
      while (waiting.length === 0 && end === null && !quitted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (quitted) return null
      const handed = waiting.shift()
      if (handed !== undefined) return handed
      if (end?.failure) throw end.failure
      return null
    },
  }
}

function errorFrom(failure: Failure): Error {
  if (failure.kind === 'fault')
    return new SourceFault(failure.fault, failure.message, { retryAfterSeconds: failure.retryAfterSeconds })
  const error = new Error(failure.message)
  if (failure.stack !== null) error.stack = failure.stack
  return error
}
