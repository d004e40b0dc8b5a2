import { workerData } from 'node:worker_threads'
import { attachMatcher, type MatchReader, type MatchText, type SharedMatcher } from '../../src/matching/index.ts'

/** The cells by which the benchmark and its threads tell each other what to do, each in a cache line of its own. */
export const READY = 0
/** The number of the round that is to be run, and 1 until it is. */
export const ROUND = 16
export const RUNNING = 32
/** The number of the slice of the posts that the round is about. */
export const SLICE_WANTED = 33
export const COMPUTED = 34
/** The number of the last change, and of the last one whose effect was seen. */
export const CHANGE = 48
export const ECHO = 49
export const STOP = 50

/** Posts of a round: some ten milliseconds, which is long beside waking a thread. */
export const SLICE = 2000

export interface ThreadTask {
  work: 'match' | 'compute' | 'watch'
  posts: readonly MatchText[]
  signals: SharedArrayBuffer
  shared: SharedMatcher
}

/** Runs one slice a round. */
function runRounds(cells: Int32Array, run: (slice: number) => void): void {
  for (let round = 0; ; round += 1) {
    Atomics.wait(cells, ROUND, round)
    run(Atomics.load(cells, SLICE_WANTED))
    Atomics.store(cells, RUNNING, 0)
    Atomics.notify(cells, RUNNING)
  }
}

function matchSlice(reader: MatchReader, posts: readonly MatchText[], slice: number): void {
  const from = SLICE * slice
  for (const post of posts.slice(from, from + SLICE)) reader.match(post)
}

/** About as long as matching a slice, without memory that anybody else could need. */
function computeSlice(cells: Int32Array): void {
  let mixed = 1
  for (let step = 0; step < 5_000_000; step += 1) mixed = Math.imul(mixed ^ step, 0x9e3779b1) ^ (mixed >>> 15)
  cells[COMPUTED] = mixed
}

/** Matches one post over and over; it is found after changes with odd numbers and not found after even ones. */
function watchChanges(reader: MatchReader, cells: Int32Array, post: MatchText): void {
  for (let seen = 0; Atomics.load(cells, STOP) === 0; ) {
    const found = reader.match(post).length === 1
    if (found !== (seen % 2 === 1)) {
      seen += 1
      Atomics.store(cells, ECHO, seen)
    }
  }
}

if (workerData !== null) {
  const { work, posts, signals, shared } = workerData as ThreadTask
  const cells = new Int32Array(signals)
  const reader = attachMatcher(shared)
  // Compiled and warm before anything is measured.
  for (const post of posts) reader.match(post)
  Atomics.store(cells, READY, 1)
  Atomics.notify(cells, READY)
  if (work === 'match') runRounds(cells, (slice) => matchSlice(reader, posts, slice))
  else if (work === 'compute') runRounds(cells, () => computeSlice(cells))
  else watchChanges(reader, cells, posts[0]!)
}
