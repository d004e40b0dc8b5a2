import { expect, test } from 'vitest'
import { SECOND_MS } from '../../kernel/clock.ts'
import { SourceFault, type SourceFaultKind, type StreamSource } from '../../sources/contract.ts'
import { restMs } from './failures.ts'

const POLL_SECONDS = 600
const stream: StreamSource = {
  platform: 'stackexchange',
  mode: 'stream',
  hosts: [],
  limits: [],
  pollSeconds: POLL_SECONDS,
  poll: async function* () {},
}

test.each<[SourceFaultKind, boolean]>([
  ['throttled', false],
  ['unavailable', false],
  ['credentials', true],
  ['shape_changed', true],
  ['gone', true],
])('a stream with the fault %s rests for its interval: %s', (kind, rests) => {
  expect(restMs(stream, new SourceFault(kind, 'no'), 1) >= POLL_SECONDS * SECOND_MS).toBe(rests)
})
