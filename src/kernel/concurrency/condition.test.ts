import { expect, test } from 'vitest'
import { Condition } from './condition.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('lets all go that it holds for, once it is told of the change', async () => {
  const condition = new Condition()
  const past: string[] = []
  let level = 0
  void condition.until(() => level >= 1).then(() => past.push('low'))
  void condition.until(() => level >= 2).then(() => past.push('high'))
  level = 1
  await turn()
  expect(past).toEqual([])
  condition.notify()
  await turn()
  expect(past).toEqual(['low'])
  level = 2
  condition.notify()
  await turn()
  expect(past).toEqual(['low', 'high'])
})

test('does not wait for what holds already, nor under a signal that is aborted', async () => {
  const condition = new Condition()
  await condition.until(() => true)
  await condition.until(() => false, AbortSignal.abort())
  const ending = new AbortController()
  const wait = condition.until(() => false, ending.signal)
  ending.abort()
  await wait
})
