import { expect, test } from 'vitest'
import { atOnce, inTurns, type Steps } from './steps.ts'

function* counted(order: string[]): Steps<string> {
  for (let step = 0; step < 10; step += 1) {
    order.push(String(step))
    yield
  }
  return 'done'
}

test('everything else has its turn between steps', async () => {
  const order: string[] = []
  setImmediate(() => order.push('other'))
  expect(await inTurns(counted(order))).toBe('done')
  expect(order).toHaveLength(11)
  expect(order.indexOf('other')).toBe(1)
})

test('at once nothing comes in between', () => {
  const order: string[] = []
  expect(atOnce(counted(order))).toBe('done')
  expect(order).toHaveLength(10)
})
