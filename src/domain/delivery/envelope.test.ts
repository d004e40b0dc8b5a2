import { describe, expect, test } from 'vitest'
import { buildEnvelope } from './envelope.ts'

const at = new Date('2026-11-20T13:05:06.007Z')

describe('the envelope', () => {
  test('has its five keys in order, and nothing of a rule but id and name', () => {
    const alert = { name: 'Complaints', id: 'feed_1', filter: { minRelevance: 40 } }
    const envelope = buildEnvelope(
      { kind: 'mention', data: { b: 1, a: 2 }, alerts: [alert], event: 'mention.complaint', id: 'dlv_1' },
      at,
    )
    expect(JSON.stringify(envelope)).toBe(
      '{"id":"dlv_1","event":"mention.complaint","createdAt":"2026-11-20T13:05:06.007Z","alert":{"id":"feed_1","name":"Complaints"},"data":{"b":1,"a":2}}',
    )
  })

  test('has no rule for an account event and a rule without id for a channel test', () => {
    expect(
      buildEnvelope({ kind: 'event', id: 'dlv_1', event: 'wallet.low', alerts: [], data: {} }, at).alert,
    ).toBeNull()
    expect(
      buildEnvelope(
        { kind: 'test', id: 'dlv_1', event: 'test', alerts: [{ id: null, name: 'Test' }], data: { message: 'hello' } },
        at,
      ).alert,
    ).toEqual({
      id: null,
      name: 'Test',
    })
  })
})
