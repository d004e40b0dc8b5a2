import { expect, test } from 'vitest'
import { LANGUAGES } from './function-words.ts'

test('lists every function word once, a word a line', () => {
  for (const list of LANGUAGES) {
    const words = list.slice(1, -1).split('\n')
    expect(`\n${words.join('\n')}\n`).toBe(list)
    expect(words.filter((word, at) => !/^\S+$/.test(word) || words.indexOf(word) < at)).toEqual([])
  }
})
