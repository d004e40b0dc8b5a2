import { expect, test } from 'vitest'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { createSlackSetup } from './config.ts'

const setup = createSlackSetup()
const INPUT = { teamId: 'T1', channelId: 'C1', channelName: '#general' }
const made = () => {
  const settings = setup.create(INPUT)
  if (isRefusal(settings)) throw new Error(settings.message)
  return settings
}

test('a channel is called like the one at Slack', () => {
  expect(made()).toEqual({
    label: '#general',
    config: { teamId: 'T1', channelId: 'C1', channelName: 'general' },
    events: [],
  })
  expect(setup.create({ ...INPUT, channelName: 'x'.repeat(100) })).toMatchObject({
    label: expect.stringMatching(/^#x{98}…$/),
  })
})

test.each([
  [{ channelId: '#general' }, 'channelId'],
  [{ channelId: '@everyone' }, 'channelId'],
  [{ channelId: 'C1, C2' }, 'channelId'],
  [{ channelId: 'general' }, 'channelId'],
  [{ channelId: 'U012345' }, 'channelId'],
  [{ channelId: 'D012345' }, 'channelId'],
  [{ channelId: `C${'1'.repeat(31)}` }, 'channelId'],
  [{ channelName: '##' }, 'channelName'],
  [{ events: ['wallet.low'] }, 'events'],
])('%j is refused', (change, field) => {
  const refused = setup.create({ ...INPUT, ...change })
  expect(isRefusal(refused) && refused.message).toMatch(new RegExp(`^${field}: `))
})

test('the label and the events change, and what only webhooks have is refused by its name', () => {
  expect(setup.change(made(), { label: 'Ours', events: ['mention.spike'] })).toEqual({
    settings: { ...made(), label: 'Ours', events: ['mention.spike'] },
    cancelsUnsent: false,
  })
  for (const field of ['url', 'headers']) {
    const refused = setup.change(made(), { [field]: {} })
    expect(isRefusal(refused) && refused.message).toBe(`${field}: is not a field of a Slack channel`)
  }
})
