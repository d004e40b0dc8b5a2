import { expect, test } from 'vitest'
import type { Reader } from '../store/database.ts'
import { readTogether } from './read-together.ts'

const POOL: Reader = { query: async () => [], run: async () => [] }

/** Three questions that note when they begin and end, the first of which takes longest. */
async function asked(reader: Reader): Promise<string[]> {
  const seen: string[] = []
  const question = (name: string, turns: number) => async () => {
    seen.push(`${name} begins`)
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    seen.push(`${name} ends`)
    return name
  }
  expect(await readTogether(reader, [question('a', 9), question('b', 1), question('c', 4)])).toEqual(['a', 'b', 'c'])
  return seen
}

test('questions to a pool are asked at once and answered in their order', async () => {
  expect((await asked(POOL)).slice(0, 3)).toEqual(['a begins', 'b begins', 'c begins'])
})

test('on the one connection of a transaction a question waits for the answer to the one before', async () => {
  const transaction = { ...POOL, inTransaction: true } as Reader
  expect(await asked(transaction)).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})
