import { parentPort, workerData } from 'node:worker_threads'
import { attachMatcher } from './index.ts'
import { answerOf, BEGUN, DONE, READY, type ReaderLog, type ReaderTask, STOPPED } from './shared-threads.suite.ts'

const ENTRIES_MOST = 1 << 22

function readUntilStopped({ shared, signals, texts }: ReaderTask): ReaderLog {
  const cells = new Int32Array(signals)
  const reader = attachMatcher(shared)
  const numbers = new Map<string, number>()
  const entries: number[] = []
  Atomics.add(cells, READY, 1)
  Atomics.notify(cells, READY)
  for (let at = 0; Atomics.load(cells, STOPPED) === 0 && entries.length < ENTRIES_MOST; at = (at + 1) % texts.length) {
    const done = Atomics.load(cells, DONE)
    const answer = answerOf(reader.matchOwned(texts[at]!))
    const begun = Atomics.load(cells, BEGUN)
    const number = numbers.get(answer) ?? numbers.size
    numbers.set(answer, number)
    entries.push(at, done, begun, number)
  }
  // In case the list is full before the end.
  while (Atomics.load(cells, STOPPED) === 0) Atomics.wait(cells, STOPPED, 0, 100)
  const last = texts.map((text) => answerOf(reader.matchOwned(text)))
  return { entries: Int32Array.from(entries), answers: [...numbers.keys()], last, size: reader.size }
}

parentPort!.postMessage(readUntilStopped(workerData as ReaderTask))
