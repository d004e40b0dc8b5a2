import { expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { inTurns } from './in-turns.ts'

/** Handles portions of `lists`, each of which takes `portionMs`; `find` returns the first two that are not empty. */
async function handled(lists: Record<string, number>, portionMs: number): Promise<string> {
  let nowMs = 0
  const done: string[] = []
  await inTurns(
    { ...systemClock, monotonicMs: () => nowMs },
    async () =>
      Object.keys(lists)
        .filter((name) => lists[name]! > 0)
        .slice(0, 2),
    async (name) => {
      nowMs += portionMs
      done.push(name)
      lists[name]! -= 1
      return lists[name]! > 0
    },
  )
  return done.join('')
}

test('each due thing has a portion in turn, and what was not found at first follows', async () => {
  expect(await handled({ a: 3, b: 1, c: 2, d: 1 }, 1)).toBe('abaacdc')
  expect(await handled({}, 1)).toBe('')
})

test('nothing begins after ten seconds', async () => {
  expect(await handled({ a: 9, b: 9 }, 2000)).toBe('ababa')
  expect(await handled({ a: 9, b: 9 }, 9999)).toBe('ab')
})
