import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A program of the harness in a process of its own, which answers questions and ends with whoever started it. */
export interface Child<Questions extends Record<string, { asks: unknown; answers: unknown }>> {
  readonly pid: number
  /** Rejects when there is no answer within two minutes or the time given. */
  ask<Name extends keyof Questions & string>(
    name: Name,
    question: Questions[Name]['asks'],
    withinMs?: number,
  ): Promise<Questions[Name]['answers']>
  close(): Promise<void>
}

interface Asked {
  id: number
  name: string
  question: unknown
}

interface Answered {
  id: number
  answer?: unknown
  error?: string
}

const PATIENCE_MS = 120_000

/** Starts `file`, which stands beside this one and calls `answer`. */
export async function startChild<Questions extends Record<string, { asks: unknown; answers: unknown }>>(
  file: string,
): Promise<Child<Questions>> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, [], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const open = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>()
  let last = 0
  child.on('message', (message: Answered) => {
    const waiting = open.get(message.id)
    open.delete(message.id)
    if (message.error !== undefined) waiting?.reject(new Error(message.error))
    else waiting?.resolve(message.answer)
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of open.values()) reject(new Error(`${file} ended with ${code ?? signal} before it answered`))
  })
  const ask = (name: string, question: unknown, withinMs = PATIENCE_MS) =>
    new Promise<unknown>((resolve, reject) => {
      last += 1
      const id = last
      const timer = setTimeout(() => reject(new Error(`${file} does not answer ${name}`)), withinMs)
      const done =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer)
          settle(value)
        }
      open.set(id, { resolve: done(resolve), reject: done(reject) })
      child.send({ id, name, question } satisfies Asked)
    })
  return { pid: child.pid!, ask, close: () => end(child) } as Child<Questions>
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(timer)
}

/** In the child: answers questions by name until the parent is gone. */
export function answer<Questions extends Record<string, { asks: unknown; answers: unknown }>>(
  answers: {
    [Name in keyof Questions]: (
      question: Questions[Name]['asks'],
    ) => Promise<Questions[Name]['answers']> | Questions[Name]['answers']
  },
): void {
  process.on('message', async ({ id, name, question }: Asked) => {
    try {
      const answered = await answers[name]!(question)
      process.send?.({ id, answer: answered } satisfies Answered)
    } catch (error) {
      process.send?.({ id, error: String((error as Error).stack ?? error) } satisfies Answered)
    }
  })
  // Whoever asks is gone, so nobody is served any more. A Ctrl-C at the terminal reaches the parent, too.
  process.on('disconnect', () => process.exit(0))
  process.on('SIGINT', () => undefined)
}
