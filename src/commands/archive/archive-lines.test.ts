import { expect, test } from 'vitest'
import { linesOf } from './archive-lines.ts'

async function read(chunks: readonly string[], longest = 10): Promise<string[]> {
  const lines: string[] = []
  const given = async function* () {
    yield* chunks
  }
  for await (const line of linesOf(given(), longest)) lines.push(line)
  return lines
}

test('lines end at line feeds only, wherever chunks end', async () => {
  expect(await read(['a', 'b\nc\u2028', 'd\n', '\ne\r', ''])).toEqual(['ab', 'c\u2028d', '', 'e\r'])
  expect(await read([])).toEqual([])
  expect(await read(['last\n'])).toEqual(['last'])
})

test('a line that is too long is refused before it is whole', async () => {
  expect(await read(['short\n1234567890\n'])).toEqual(['short', '1234567890'])
  const endless = Array(100).fill('1234')
  await expect(read(['short\n', ...endless])).rejects.toThrow('Line 2 has more than 10 characters.')
})
