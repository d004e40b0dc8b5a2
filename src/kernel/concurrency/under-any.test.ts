import { getEventListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { underAny } from './under-any.ts'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))

test('aborts with the first of the signals, for its reason', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  await underAny([first.signal, second.signal], async (joined) => {
    expect(joined.aborted).toBe(false)
    second.abort('enough')
    first.abort('later')
    expect(joined.reason).toBe('enough')
  })
})

test('is aborted from the beginning when one of the signals is', async () => {
  const over = AbortSignal.abort('over')
  expect(await underAny([new AbortController().signal, over], async ({ reason }) => reason)).toBe('over')
})

test('may have many listeners, of which no warning is printed', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  try {
    await underAny([new AbortController().signal], async (joined) => {
      for (let count = 0; count < 50; count += 1) joined.addEventListener('abort', () => count)
      await setImmediate()
    })
  } finally {
    process.off('warning', note)
  }
  expect(warnings).toEqual([])
})

test('leaves nothing in the signals and nothing under way, also when the work fails', async () => {
  const long = new AbortController()
  const left: AbortSignal[] = []
  const failing = underAny([long.signal], async (signal) => {
    left.push(signal)
    expect([getEventListeners(long.signal, 'abort').length, signal.aborted]).toEqual([1, false])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect([getEventListeners(long.signal, 'abort').length, left[0]?.aborted]).toEqual([0, true])
})

test('is how signals are joined everywhere, because AbortSignal.any lets those that live long grow', () => {
  const joining = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => /AbortSignal\.any\(/.test(readFileSync(join(SOURCES, path), 'utf8')))
  expect(joining).toEqual([])
})
