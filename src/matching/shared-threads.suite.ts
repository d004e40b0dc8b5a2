import { Worker } from 'node:worker_threads'
import type { MatchRules, MatchText } from './contract.ts'
import type { SharedMatcher } from './index.ts'

/** Cells that the test's writer and readers share: numbers of the begun and the finished change, and the end. */
export const BEGUN = 0
export const DONE = 1
export const STOPPED = 2
export const READY = 3

export interface ReaderTask {
  shared: SharedMatcher
  signals: SharedArrayBuffer
  texts: readonly MatchText[]
}

/**
 * Of each result: the text, the change finished before the call, the last one begun after it, the number of the result.
 */
export interface ReaderLog {
  entries: Int32Array
  answers: string[]
  /** The result for each text once changes have ended. */
  last: string[]
  size: number
}

export function startReader(task: ReaderTask): { log: Promise<ReaderLog>; stop(): Promise<unknown> } {
  // This version of Node.js runs no TypeScript, and the test runner's loader does not reach worker threads.
  const module = new URL('./shared-threads.worker.suite.ts', import.meta.url).href
  const worker = new Worker(
    `import('tsx/esm/api').then(({ register }) => register() && import(${JSON.stringify(module)}))`,
    {
      eval: true,
      workerData: task,
    },
  )
  const log = new Promise<ReaderLog>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the reader ended with ${code} before it answered`)))
  })
  return { log, stop: () => worker.terminate() }
}

export function answerOf({ ids, owners }: { ids: readonly string[]; owners: readonly number[] }): string {
  return ids
    .map((id, at) => `${id} ${owners[at]}`)
    .sort()
    .join(', ')
}

/** Rules to put for an id, or null to remove it. */
export interface Change {
  id: string
  rules: MatchRules | null
  owner: number
}

export function uuid(number: number): string {
  return `018f2c4e-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

const WORDS = [
  'acme',
  'Acme',
  'open source',
  'open',
  'source',
  'c++',
  '@acme',
  'acme.com',
  '日本',
  '👍',
  'straße',
  'deploy',
  '->',
  'acme corp',
  'corp',
]
export const TEXTS: readonly MatchText[] = [
  { text: 'Acme corp likes open-source and C++', links: ['https://acme.com/x'] },
  { text: 'acme acme -> 日本語 👍 Straße', authorKeys: ['jane'] },
  { text: 'deploy open source @acme', authorName: 'Open Corp' },
  { text: 'nothing of interest here' },
  { text: 'source of acme.com, corp deploys' },
  { text: 'open acme corp 日本 c++ -> deploy', title: 'Straße' },
].map((part) => ({ scope: 0, title: null, links: [], authorKeys: [], authorName: null, ...part }))

export function randomChange(random: () => number): Change {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const some = (most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(WORDS))
  const id = uuid(Math.floor(random() * 40))
  if (random() < 0.3) return { id, rules: null, owner: 0 }
  const plain = random() < 0.5
  return {
    id,
    owner: Math.floor(random() * 3),
    rules: {
      term: pick(WORDS),
      caseSensitive: random() < 0.2,
      requiredTerms: plain ? [] : some(2),
      requiredMode: random() < 0.5 ? 'any' : 'all',
      excludedTerms: plain ? [] : some(2).map((word) => (random() < 0.3 ? `${word}*` : word)),
      excludedAuthors: random() < 0.2 ? ['jane'] : [],
      scopes: random() < 0.9 ? 1 : 2,
    },
  }
}

const FILLERS = 1_000_000

/** A change that matches no text of the test, but grows the index and moves its contents. */
export function filler(number: number): Change {
  const rules: MatchRules = {
    term: `filler ${number} of many ${number % 7}`,
    caseSensitive: false,
    requiredTerms: number % 5 === 0 ? [`needs ${number}`] : [],
    requiredMode: 'any',
    excludedTerms: [],
    excludedAuthors: [],
    scopes: 1,
  }
  return { id: uuid(FILLERS + number), rules, owner: number }
}

export function isFiller({ id }: Change): boolean {
  return id >= uuid(FILLERS)
}
