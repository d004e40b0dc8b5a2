import { expect, test } from 'vitest'
import type { Delivery } from '../api/deliveries.ts'
import { splitAt } from './use-log.ts'

const at = (createdAt: string) => ({ createdAt }) as Delivery

test('what came since the list was read is counted and not shown', () => {
  const log = ['2026-11-26T10:03:00.000Z', '2026-11-26T10:02:00.000Z', '2026-11-26T10:01:00.000Z'].map(at)
  expect(splitAt(log, null)).toEqual({ shown: log, fresh: 0 })
  expect(splitAt(log, '2026-11-26T10:02:00.000Z')).toEqual({ shown: log.slice(1), fresh: 1 })
})
