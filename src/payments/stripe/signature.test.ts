import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSignedByStripe } from './signature.ts'

const NOW = new Date('2026-11-20T09:30:00.000Z')
const AT = NOW.getTime() / 1000
const SECRET = 'whsec_of_the_test'
const BODY = '{"id":"evt_1"}'

const sign = (body = BODY, at: number | string = AT, secret = SECRET) =>
  createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
const judge = (header: string, body = BODY) => isSignedByStripe(body, header, SECRET, NOW)

describe('a message counts', () => {
  test('when it is signed with the secret and of this time', () => {
    expect(judge(`t=${AT},v1=${sign()}`)).toBe(true)
  })

  test('when one of several signatures fits, as while a secret is being changed', () => {
    expect(judge(`t=${AT},v1=${'0'.repeat(64)},v1=${sign()},v0=${'1'.repeat(64)}`)).toBe(true)
  })

  test.each([-300, 300])('when its stamp is %i seconds off, but no second more', (offset) => {
    expect(judge(`t=${AT + offset},v1=${sign(BODY, AT + offset)}`)).toBe(true)
    const further = AT + offset + Math.sign(offset)
    expect(judge(`t=${further},v1=${sign(BODY, further)}`)).toBe(false)
  })
})

describe('a message does not count', () => {
  test.each([
    ['without a signature', ''],
    ['with a stamp alone', `t=${AT}`],
    ['with a signature alone', `v1=${sign()}`],
    ['signed with another secret', `t=${AT},v1=${sign(BODY, AT, 'whsec_other')}`],
    ['signed with no secret', `t=${AT},v1=${sign(BODY, AT, '')}`],
    ['signed with the secret without its beginning', `t=${AT},v1=${sign(BODY, AT, SECRET.slice(6))}`],
    ['signed in another version only', `t=${AT},v0=${sign()}`],
    ['signed for another stamp', `t=${AT},v1=${sign(BODY, AT - 1)}`],
    ['with two stamps', `t=${AT - 1000},t=${AT},v1=${sign()}`],
    ['with a stamp that is no number', `t=abc,v1=${sign(BODY, 'abc')}`],
    ['with a stamp in another notation', `t=${AT}.0,v1=${sign(BODY, `${AT}.0`)}`],
    ['with a stamp below nothing', `t=-${AT},v1=${sign(BODY, -AT)}`],
    ['with half a signature', `t=${AT},v1=${sign().slice(0, 32)}`],
    ['with more than a signature', `t=${AT},v1=${sign()}00`],
    ['with a signature in capitals', `t=${AT},v1=${sign().toUpperCase()}`],
    ['with nothing for a signature', `t=${AT},v1=`],
  ])('%s', (_, header) => {
    expect(judge(header)).toBe(false)
  })

  test('when anything in it was changed', () => {
    const header = `t=${AT},v1=${sign()}`
    fc.assert(fc.property(fc.string(), (other) => judge(header, other) === (other === BODY)))
    expect(judge(header, `${BODY} `)).toBe(false)
  })

  test('whatever else its header holds', () => {
    fc.assert(fc.property(fc.string(), (header) => !judge(header)))
  })
})
