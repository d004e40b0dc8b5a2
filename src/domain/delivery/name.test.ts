import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { DELIVERY_NAME_MAX, listedName, readDeliveryName } from './name.ts'

const at = new Date('2026-11-22T05:00:00.000Z')
const [id, alertId] = [newUuid(at), newUuid(at)]

test('what the log lists can be read back', () => {
  const uuid = fc.uuid().map((text) => text as Uuid)
  const period = fc.constantFrom('2026-11-22', 'h:2026-11-22T05', '1970-01-01', 'h:9999-12-31T23')
  fc.assert(
    fc.property(uuid, uuid, fc.option(period, { nil: null }), (id, rule, named) => {
      const listed = listedName(id, { alertId: rule, period: named, replayOf: null })
      expect(listed.length).toBeLessThanOrEqual(DELIVERY_NAME_MAX)
      expect(readDeliveryName(listed)).toEqual(
        named === null ? { kind: 'delivery', id: id } : { kind: 'digest', alertId: rule, period: named },
      )
    }),
  )
})

test('a replay of a digest has its own id, and so has what no rule sent', () => {
  expect(listedName(id, { alertId, period: '2026-11-22', replayOf: newUuid(at) })).toBe(toId('dlv', id))
  expect(listedName(id, { alertId: null, period: null, replayOf: null })).toBe(toId('dlv', id))
})

test.each([
  '',
  'dlv_',
  `${toId('dlv', id)} `,
  `${toId('dlv', id)}\n`,
  toId('feed', id),
  `${toId('feed', id)}:`,
  `${toId('feed', id)}:2026-11-2`,
  `${toId('feed', id)}:h:2026-11-22`,
  `${toId('feed', id)}:2026-11-22T05`,
  `${toId('dlv', id)}:2026-11-22`,
  toId('mtn', id),
])('%j names no delivery', (text) => {
  expect(readDeliveryName(text)).toBeNull()
})
