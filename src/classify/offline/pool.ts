import type { ThreadHandle } from '../../kernel/thread.ts'
import type { Scored, Subject } from '../contract.ts'
import { pack } from './parcel.ts'
import type { FromThread, ToThread } from './thread.ts'

export interface PoolOptions {
  /** How many threads at most. */
  count: number
  /** Begins a thread that says when it is ready and answers one parcel after the other. */
  spawn(): ThreadHandle
}

export interface Pool {
  /** Scores the subjects in the threads, and answers in their order. */
  score(subjects: readonly Subject[], signal: AbortSignal): Promise<Scored[]>
  /** Ends the threads; what they have in hand is rejected. Idempotent. */
  close(): Promise<void>
}

/** A part of a batch on its way through a thread. */
interface Job {
  batch: Batch
  from: number
  count: number
}

interface Batch {
  subjects: readonly Subject[]
  scored: Scored[]
  left: number
  done(): void
  fail(reason: unknown): void
  over: boolean
}

interface Thread {
  handle: ThreadHandle
  ready: boolean
  alive: boolean
  /** What the thread has been told to do, oldest first. */
  jobs: Map<number, Job>
}

/** Subjects in one message: few enough that several threads share a batch, enough that sending costs little. */
const PART = 50
/** A second part waits in the thread, so that it never waits for the next one. */
const JOBS_AHEAD = 2

/**
 * Threads that score. They begin when there is work, and one that dies is replaced: the parts that it had in hand are
 * halved until the one subject is left that ends threads, and that one alone fails.
 */
export function createPool({ count, spawn }: PoolOptions): Pool {
  const threads: Thread[] = []
  const waiting: Job[] = []
  let number = 0
  let closed = false

  const freest = (): Thread | null => {
    const open = threads
      .filter(({ jobs }) => jobs.size < JOBS_AHEAD)
      .sort((one, other) => one.jobs.size - other.jobs.size)[0]
    if ((open === undefined || open.jobs.size > 0) && threads.length < count) return begin()
    return open ?? null
  }
  const hand = () => {
    while (waiting.length > 0) {
      const job = waiting[0]!
      if (job.batch.over) {
        waiting.shift()
        continue
      }
      const thread = freest()
      if (thread === null) return
      waiting.shift()
      number += 1
      thread.jobs.set(number, job)
      thread.handle.ref()
      const message: ToThread = { job: number, parcel: pack(job.batch.subjects.slice(job.from, job.from + job.count)) }
      thread.handle.postMessage(message)
    }
  }
  const settle = ({ batch, from, count: many }: Job, scored: readonly Scored[]) => {
    for (let at = 0; at < many; at += 1) batch.scored[from + at] = scored[at]!
    batch.left -= many
    if (batch.left === 0) batch.done()
  }
  const died = (thread: Thread, error: Error) => {
    if (!thread.alive) return
    thread.alive = false
    threads.splice(threads.indexOf(thread), 1)
    const [first, ...others] = thread.jobs.values()
    thread.jobs.clear()
    // A thread that cannot even begin is no fault of a text: the batches are told, and tried again as a whole.
    if (!thread.ready || closed) for (const job of [first, ...others]) job?.batch.fail(error)
    else {
      waiting.unshift(...others)
      if (first !== undefined) waiting.unshift(...halves(first, error, settle))
    }
    hand()
  }
  const begin = (): Thread => {
    const thread: Thread = { handle: spawn(), ready: false, alive: true, jobs: new Map() }
    threads.push(thread)
    thread.handle.on('message', (message: FromThread) => {
      thread.ready = true
      if (message.kind === 'ready') return
      const job = thread.jobs.get(message.job)
      thread.jobs.delete(message.job)
      // A thread at rest does not keep the process alive.
      if (thread.jobs.size === 0) thread.handle.unref()
      if (job !== undefined) settle(job, message.scored)
      hand()
    })
    thread.handle.on('error', (error: Error) => died(thread, error))
    thread.handle.on('exit', (code) => died(thread, new Error(`the thread that scores ended with code ${code}`)))
    return thread
  }
  return {
    async score(subjects, signal) {
      if (closed) throw new Error('the classifier is closed')
      if (subjects.length === 0) return []
      return await new Promise<Scored[]>((resolve, reject) => {
        const batch: Batch = {
          subjects,
          scored: [],
          left: subjects.length,
          over: false,
          done: () => end(() => resolve(batch.scored)),
          fail: (reason) => end(() => reject(reason)),
        }
        const quit = () => batch.fail(signal.reason)
        const end = (settled: () => void) => {
          batch.over = true
          signal.removeEventListener('abort', quit)
          settled()
        }
        signal.addEventListener('abort', quit, { once: true })
        for (let from = 0; from < subjects.length; from += PART)
          waiting.push({ batch, from, count: Math.min(PART, subjects.length - from) })
        hand()
      })
    },
    async close() {
      closed = true
      for (const { batch } of waiting.splice(0)) batch.fail(new Error('the classifier is closed'))
      await Promise.all(threads.map(({ handle }) => handle.terminate()))
    },
  }
}

/** What is left to do of a part whose thread died: a single subject has failed, of several both halves are tried. */
function halves(job: Job, error: Error, settle: (job: Job, scored: readonly Scored[]) => void): Job[] {
  if (job.batch.over) return []
  if (job.count === 1) {
    settle(job, [{ failed: `scoring it ended the thread: ${error.message}` }])
    return []
  }
  const first = Math.ceil(job.count / 2)
  return [
    { ...job, count: first },
    { ...job, from: job.from + first, count: job.count - first },
  ]
}
