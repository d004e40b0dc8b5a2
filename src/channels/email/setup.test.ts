import { expect, test } from 'vitest'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import type { ChannelSettings } from '../contract.ts'
import { type EmailDestination, type EmailInput, emailSetup } from './setup.ts'

const CURRENT: ChannelSettings<EmailDestination> = {
  label: 'Team',
  config: {
    recipients: [
      { email: 'A@example.com', confirmedAt: '2026-11-20T09:30:00.000Z' },
      { email: 'b@example.com', confirmedAt: null },
    ],
  },
  events: ['mention.spike'],
}

function created(input: EmailInput) {
  const settings = emailSetup.create(input)
  if (isRefusal(settings)) throw new Error(settings.message)
  return settings
}

test('each address is kept once, as it was written first, and nobody has confirmed', () => {
  const { label, config, events } = created({
    emails: [' Jane@Example.com ', 'joe@example.com', 'JANE@example.COM'],
    events: ['mention.spike', 'mention.spike'],
  })
  expect(config.recipients).toEqual([
    { email: 'Jane@Example.com', confirmedAt: null },
    { email: 'joe@example.com', confirmedAt: null },
  ])
  expect([label, events]).toEqual(['Jane@Example.com and 1 more', ['mention.spike']])
})

test('a label that is made of a long address is cut to what a label may be', () => {
  const label = created({
    emails: [`${'x'.repeat(64)}@${'y'.repeat(60)}.${'z'.repeat(60)}.example`, 'b@example.com'],
  }).label
  expect([...label]).toHaveLength(100)
  expect(label).toMatch(/… and 1 more$/)
})

test.each<[EmailInput, RegExp]>([
  [{ emails: [] }, /^emails: /],
  [{ emails: Array.from({ length: 21 }, (_, at) => `a${at}@example.com`) }, /^emails: /],
  [{ emails: ['a@example.com', 'nonsense'] }, /^emails\.1: /],
  [{ emails: ['a@b.example, c@d.example'] }, /^emails\.0: /],
  [{ emails: ['a@b.example\r\nBcc: c@d.example'] }, /^emails\.0: /],
  [{ emails: ['<a@b.example>'] }, /^emails\.0: /],
  [{ emails: ['ä@b.example'] }, /^emails\.0: /],
  [{ emails: ['a@example.com'], events: ['wallet.low'] }, /^events: /],
  [{ emails: ['a@example.com'], label: ' ' }, /^label: /],
  [{ emails: ['a@example.com'], url: 'https://a.example' }, /^url: /],
  [{ emails: ['a@example.com'], headers: {} }, /^headers: /],
])('%j is refused by naming the field', (input, message) => {
  const settings = emailSetup.create(input)
  expect(isRefusal(settings) && settings.message).toMatch(message)
})

test('a change without addresses leaves the recipients, and one with addresses keeps who was there as they were', () => {
  const unchanged = emailSetup.change(CURRENT, { label: 'New', emails: undefined })
  expect(unchanged).toEqual({ settings: { ...CURRENT, label: 'New' }, cancelsUnsent: false })
  const changed = emailSetup.change(CURRENT, { emails: ['a@EXAMPLE.com', 'c@example.com'] })
  expect(changed).toMatchObject({
    settings: {
      label: 'Team',
      config: {
        recipients: [
          { email: 'A@example.com', confirmedAt: '2026-11-20T09:30:00.000Z' },
          { email: 'c@example.com', confirmedAt: null },
        ],
      },
    },
    cancelsUnsent: false,
  })
})

test('the usual label can be had again from what is stored', () => {
  expect(created({ ...CURRENT.config, events: CURRENT.events })).toEqual({
    ...CURRENT,
    label: 'A@example.com and 1 more',
  })
})
