import { parentPort, workerData } from 'node:worker_threads'
import type { Scored } from '../contract.ts'
import { scorerOf } from './judge.ts'
import type { Grams } from './language/language-grams.ts'
import { type Header, modelOver } from './model/model-file.ts'
import { type PackedBatch, unpack } from './packed-batch.ts'

/** What a thread that scores is given at its start; the large parts lie in memory that it shares. */
export interface ThreadData {
  header: Header
  body: SharedArrayBuffer
  grams: Grams
}

/** What a thread is told: score these. */
export interface ToThread {
  job: number
  parcel: PackedBatch
}

/** What a thread tells: that it is ready, once; then the results of one job after the other. */
export type FromThread = { kind: 'ready' } | { kind: 'scored'; job: number; scored: Scored[] }

// A thread of a process that scores. It ends with the process, or when the process ends it.
if (parentPort) {
  const port = parentPort
  const { header, body, grams } = workerData as ThreadData
  const scoreOne = scorerOf(modelOver(header, body), grams)
  const tell = (message: FromThread) => port.postMessage(message)
  port.on('message', ({ job, parcel }: ToThread) => tell({ kind: 'scored', job, scored: unpack(parcel).map(scoreOne) }))
  tell({ kind: 'ready' })
}
