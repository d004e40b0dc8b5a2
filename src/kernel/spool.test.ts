import { expect, test } from 'vitest'
import { spooled } from './spool.ts'

async function all(texts: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const text of texts) found.push(text)
  return found
}

test('texts come as they were put, also long and odd ones', async () => {
  const texts = ['first', '', 'a\nline\u2028é😀', 'x'.repeat(300_000)]
  expect(
    await all(
      spooled(async (put) => {
        for (const text of texts) await put(text)
      }),
    ),
  ).toEqual(texts)
  expect(await all(spooled(async () => undefined))).toEqual([])
})

test('the maker ends while the reader is still at the first text', async () => {
  let made!: () => void
  const isMade = new Promise<void>((resolve) => {
    made = resolve
  })
  const texts = spooled(async (put) => {
    for (let number = 0; number < 100; number += 1) await put(String(number))
    made()
  })[Symbol.asyncIterator]()
  expect(await texts.next()).toEqual({ done: false, value: '0' })
  await isMade
  expect(await texts.next()).toEqual({ done: false, value: '1' })
  await texts.return?.()
})

test('a failure of the maker follows what it has put', async () => {
  const found: string[] = []
  const read = async () => {
    const texts = spooled(async (put) => {
      await put('before')
      throw new Error('it broke')
    })
    for await (const text of texts) found.push(text)
  }
  await expect(read()).rejects.toThrow('it broke')
  expect(found).toEqual(['before'])
})

test('the maker is told when its reader has left', async () => {
  let failure: unknown = null
  const texts = spooled(async (put) => {
    try {
      for (;;) await put('again')
    } catch (error) {
      failure = error
      throw error
    }
  })
  for await (const text of texts) if (text === 'again') break
  expect(failure).toMatchObject({ message: 'the reader of a spool has left' })
})
