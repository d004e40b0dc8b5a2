import { parentPort, workerData } from 'node:worker_threads'
import type { Scored } from '../contract.ts'
import { scorerOf } from './judge.ts'
import type { Grams } from './language/language-grams.ts'
import { modelOver, type SharedModel } from './model/model-file.ts'
import { type PackedBatch, unpack } from './packed-batch.ts'

export interface ThreadData extends SharedModel {
  grams: Grams
}

export interface ToThread {
  job: number
  parcel: PackedBatch
}

/** A thread reports once that it is ready, then the results of its jobs in order. */
export type FromThread = { kind: 'ready' } | { kind: 'scored'; job: number; scored: Scored[] }

if (parentPort) {
  const port = parentPort
  const { header, body, grams } = workerData as ThreadData
  const scoreOne = scorerOf(modelOver(header, body), grams)
  const tell = (message: FromThread) => port.postMessage(message)
  port.on('message', ({ job, parcel }: ToThread) => tell({ kind: 'scored', job, scored: unpack(parcel).map(scoreOne) }))
  tell({ kind: 'ready' })
}
