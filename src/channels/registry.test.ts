import { expect, test } from 'vitest'
import { NO_INSPECTIONS } from '../../test/stand-ins/inspections.ts'
import { CHANNEL_KINDS } from '../domain/channel/channel-kind.ts'
import { systemClock } from '../kernel/clock.ts'
import { createEgress } from '../kernel/egress.ts'
import { createChannels } from './registry.ts'

test('every channel is registered under its own kind', async () => {
  const egress = createEgress({ allow: [] })
  const channels = createChannels({
    egress,
    inspections: NO_INSPECTIONS,
    clock: systemClock,
    userAgent: 'earshot/test',
    publicUrl: 'https://earshot.test',
    mail: null,
    slack: null,
    telegram: null,
  })
  expect(channels.has('webhook')).toBe(true)
  for (const [kind, channel] of channels) {
    expect(channel.kind).toBe(kind)
    expect(CHANNEL_KINDS).toContain(kind)
  }
  await egress.close()
})
