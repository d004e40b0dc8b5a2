import { expect, test } from 'vitest'
import { eachPost } from '../../../domain/keyword/suggestions/steps.ts'
import { inTurns } from './in-turns.ts'

test('everything else has its turn while many posts are gone through', async () => {
  const order: string[] = []
  setImmediate(() => order.push('other'))
  await inTurns(eachPost(Array.from({ length: 100 }), (_, at) => void order.push(String(at))))
  expect(order).toHaveLength(101)
  expect(order.indexOf('other')).toBe(8)
})
