import type { ThreadHandle } from '../../kernel/thread.ts'
import type { Scored, Subject } from '../contract.ts'
import { TextBatch } from './batch.ts'
import { pack } from './packed-batch.ts'
import type { FromThread, ToThread } from './thread.ts'

export interface PoolOptions {
  count: number
  /** The thread answers messages in order. */
  spawn(): ThreadHandle
}

interface Job {
  batch: TextBatch
  from: number
  count: number
}

interface Thread {
  handle: ThreadHandle
  ready: boolean
  alive: boolean
  jobs: Map<number, Job>
}

/** Subjects in a message: few enough to share a batch among threads, enough to make sending cheap. */
const PART = 50
/** The second job waits in the thread, so that the thread is never idle. */
const JOBS_AHEAD = 2

/**
 * Starts threads when there is work and replaces dead ones. A dead thread's job is halved until the subject that ends
 * threads is alone; only this subject fails.
 */
export class ScoringPool {
  private readonly count: number
  private readonly spawn: () => ThreadHandle
  private readonly threads: Thread[] = []
  private readonly waiting: Job[] = []
  private lastNumber = 0
  private isClosed = false

  constructor({ count, spawn }: PoolOptions) {
    this.count = count
    this.spawn = spawn
  }

  async score(subjects: readonly Subject[], signal: AbortSignal): Promise<Scored[]> {
    if (this.isClosed) throw new Error('the classifier is closed')
    if (subjects.length === 0) return []
    const batch = new TextBatch(subjects, signal)
    for (let from = 0; from < subjects.length; from += PART)
      this.waiting.push({ batch, from, count: Math.min(PART, subjects.length - from) })
    this.handOut()
    return await batch.result
  }

  /** Ends the threads and rejects their jobs; idempotent. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { batch } of this.waiting.splice(0)) batch.fail(new Error('the classifier is closed'))
    await Promise.all(this.threads.map(({ handle }) => handle.terminate()))
  }

  private handOut(): void {
    while (this.waiting.length > 0) {
      const job = this.waiting[0]!
      const thread = job.batch.isOver ? null : this.freest()
      if (thread === null && !job.batch.isOver) return
      this.waiting.shift()
      if (thread !== null) this.give(thread, job)
    }
  }

  private freest(): Thread | null {
    const [open] = this.threads
      .filter(({ jobs }) => jobs.size < JOBS_AHEAD)
      .sort((thread, other) => thread.jobs.size - other.jobs.size)
    if ((open === undefined || open.jobs.size > 0) && this.threads.length < this.count) return this.begin()
    return open ?? null
  }

  private give(thread: Thread, job: Job): void {
    const { batch, from, count } = job
    this.lastNumber += 1
    thread.jobs.set(this.lastNumber, job)
    thread.handle.ref()
    const message: ToThread = { job: this.lastNumber, parcel: pack(batch.subjects.slice(from, from + count)) }
    thread.handle.postMessage(message)
  }

  private begin(): Thread {
    const thread: Thread = { handle: this.spawn(), ready: false, alive: true, jobs: new Map() }
    this.threads.push(thread)
    thread.handle.on('message', (message: FromThread) => this.receive(thread, message))
    thread.handle.on('error', (error: Error) => this.replace(thread, error))
    thread.handle.on('exit', (code) =>
      this.replace(thread, new Error(`the thread that scores ended with code ${code}`)),
    )
    return thread
  }

  private receive(thread: Thread, message: FromThread): void {
    thread.ready = true
    if (message.kind === 'ready') return
    const job = thread.jobs.get(message.job)
    thread.jobs.delete(message.job)
    // An idle thread does not keep the process alive.
    if (thread.jobs.size === 0) thread.handle.unref()
    if (job !== undefined) job.batch.settle(job.from, job.count, message.scored)
    this.handOut()
  }

  private replace(thread: Thread, error: Error): void {
    if (!thread.alive) return
    thread.alive = false
    this.threads.splice(this.threads.indexOf(thread), 1)
    const [first, ...others] = thread.jobs.values()
    thread.jobs.clear()
    // No text is at fault when a thread cannot start: whole batches fail, and callers try again.
    if (!thread.ready || this.isClosed) for (const job of [first, ...others]) job?.batch.fail(error)
    else {
      this.waiting.unshift(...others)
      if (first !== undefined) this.waiting.unshift(...halves(first, error))
    }
    this.handOut()
  }
}

function halves(job: Job, error: Error): Job[] {
  if (job.batch.isOver) return []
  if (job.count === 1) {
    job.batch.settle(job.from, 1, [{ failed: `scoring it ended the thread: ${error.message}` }])
    return []
  }
  const first = Math.ceil(job.count / 2)
  return [
    { ...job, count: first },
    { ...job, from: job.from + first, count: job.count - first },
  ]
}
