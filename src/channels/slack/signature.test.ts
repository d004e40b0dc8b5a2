import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSignedBySlack } from './signature.ts'

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'
const NOW = new Date('2026-11-20T09:30:00.000Z')
const nowSeconds = NOW.getTime() / 1000
const sign = (body: string, at: number | string, secret = SECRET) =>
  `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`

test('the example of Slack’s own documentation fits', () => {
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
  const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
  expect(isSignedBySlack({ body, timestamp: '1531420618', signature }, SECRET, new Date(1531420618_000))).toBe(true)
})

test('a message fits with its own secret, bytes and time, and within five minutes both ways', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: -600, max: 600 }), (body, offset) => {
      const at = nowSeconds + offset
      const given = { body, timestamp: String(at), signature: sign(body, at) }
      expect(isSignedBySlack(given, SECRET, NOW)).toBe(Math.abs(offset) <= 300)
      expect(isSignedBySlack({ ...given, body: `${body} ` }, SECRET, NOW)).toBe(false)
      expect(isSignedBySlack(given, `${SECRET}x`, NOW)).toBe(false)
    }),
  )
})

test.each([
  ['no time', { timestamp: undefined }],
  ['no signature', { signature: undefined }],
  ['a time that is none', { timestamp: 'NaN', signature: sign('{}', 'NaN') }],
  ['a time without end', { timestamp: 'Infinity', signature: sign('{}', 'Infinity') }],
  ['another version', { signature: sign('{}', nowSeconds).replace('v0', 'v1') }],
  ['a shortened signature', { signature: sign('{}', nowSeconds).slice(0, -1) }],
  ['one in capitals', { signature: sign('{}', nowSeconds).toUpperCase() }],
])('%s does not fit', (_, change) => {
  expect(
    isSignedBySlack(
      { body: '{}', timestamp: String(nowSeconds), signature: sign('{}', nowSeconds), ...change },
      SECRET,
      NOW,
    ),
  ).toBe(false)
})
