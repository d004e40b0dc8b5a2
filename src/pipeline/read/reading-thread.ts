import type { Worker } from 'node:worker_threads'
import { Condition } from '../../kernel/concurrency/condition.ts'
import { Deferred } from '../../kernel/concurrency/deferred.ts'
import type { Log } from '../../kernel/log.ts'
import { SourceFault } from '../../sources/contract.ts'
import type { Failure, FromThread, Handed, ToThread } from './thread-messages.ts'

export type ThreadHandle = Pick<Worker, 'postMessage' | 'on' | 'terminate'>

export class ReadingThread {
  private readonly worker: ThreadHandle
  private readonly log: Log
  private readonly runs = new Map<number, ThreadRun>()
  private lastRun = 0
  private hasDied = false

  constructor(worker: ThreadHandle, log: Log) {
    this.worker = worker
    this.log = log
    worker.on('message', (message: FromThread) => this.hear(message))
    worker.on('error', (error) => this.die(error))
    worker.on('exit', (code) => this.die(new Error(`the thread ended with code ${code}`)))
  }

  get isAlive(): boolean {
    return !this.hasDied
  }

  begin(what: Omit<Extract<ToThread, { kind: 'begin' }>, 'kind' | 'run'>): ThreadRun {
    this.lastRun += 1
    const number = this.lastRun
    const run = new ThreadRun(number, (message) => this.worker.postMessage(message))
    this.runs.set(number, run)
    this.worker.postMessage({ kind: 'begin', run: number, ...what } satisfies ToThread)
    return run
  }

  async terminate(): Promise<void> {
    await this.worker.terminate()
  }

  private hear(message: FromThread): void {
    const run = this.runs.get(message.run)
    if (message.kind === 'batch') {
      run?.hand(message.handed)
      return
    }
    this.runs.delete(message.run)
    run?.end(message.failure && errorFrom(message.failure))
  }

  private die(error: Error): void {
    if (!this.hasDied && this.runs.size > 0)
      this.log.error({ event: 'source.thread_ended', err: error }, 'A reader thread ended and is replaced')
    this.hasDied = true
    for (const run of this.runs.values()) run.end(error)
    this.runs.clear()
  }
}

export class ThreadRun {
  private readonly number: number
  private readonly tell: (message: ToThread) => void
  private readonly waiting: Handed[] = []
  private readonly changed = new Condition()
  private readonly ending = new Deferred()
  private ended: { failure: Error | null } | null = null
  private hasQuit = false

  constructor(number: number, tell: (message: ToThread) => void) {
    this.number = number
    this.tell = tell
  }

  /** Resolves when the thread has ended the run or died. */
  get over(): Promise<void> {
    return this.ending.promise
  }

  async next(): Promise<Handed | null> {
    await this.changed.until(() => this.waiting.length > 0 || this.ended !== null || this.hasQuit)
    if (this.hasQuit) return null
    const handed = this.waiting.shift()
    if (handed !== undefined) return handed
    if (this.ended?.failure) throw this.ended.failure
    return null
  }

  taken(): void {
    this.tell({ kind: 'taken', run: this.number })
  }

  quit(): void {
    if (this.hasQuit) return
    this.hasQuit = true
    this.tell({ kind: 'end', run: this.number })
    this.changed.notify()
  }

  hand(handed: Handed): void {
    this.waiting.push(handed)
    this.changed.notify()
  }

  end(failure: Error | null): void {
    this.ended ??= { failure }
    this.changed.notify()
    this.ending.resolve()
  }
}

function errorFrom(failure: Failure): Error {
  if (failure.kind === 'fault')
    return new SourceFault(failure.fault, failure.message, { retryAfterSeconds: failure.retryAfterSeconds })
  const error = new Error(failure.message)
  if (failure.stack !== null) error.stack = failure.stack
  return error
}
