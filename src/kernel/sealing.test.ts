import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSealer, readSealingKey } from './sealing.ts'

const key = randomBytes(32)
const sealer = createSealer(key.toString('base64'))

describe('sealing', () => {
  test('whatever is sealed is read again with the same key and place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, place) => {
        expect(sealer.open(sealer.seal(plain, place), place)).toBe(plain)
      }),
    )
  })

  test('the key may be written in hex, base64 or base64url', () => {
    const sealed = sealer.seal('secret', 'a')
    for (const form of [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64url'),
      ` ${key.toString('base64')}\n`,
    ]) {
      expect(createSealer(form).open(sealed, 'a')).toBe('secret')
    }
  })

  test('anything else is refused as a key, without being repeated', () => {
    for (const bad of [
      '',
      'password',
      key.toString('hex').slice(1),
      `${key.toString('hex')}0`,
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
    ]) {
      const read = readSealingKey(bad)
      expect(read).toHaveProperty('problem')
      expect(() => createSealer(bad)).toThrow(RangeError)
      if (bad !== '') expect(JSON.stringify(read)).not.toContain(bad)
    }
  })

  test('another key or another place opens nothing', () => {
    const sealed = sealer.seal('secret', 'org_1/dest_1')
    expect(createSealer(randomBytes(32).toString('hex')).open(sealed, 'org_1/dest_1')).toBeNull()
    expect(sealer.open(sealed, 'org_1/dest_2')).toBeNull()
    expect(sealer.open(sealed, '')).toBeNull()
  })

  test('a sealed text that was altered anywhere, cut or lengthened opens nothing', () => {
    const sealed = sealer.seal('whsec_abc', 'a')
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      expect(sealer.open(sealed.slice(0, at) + other + sealed.slice(at + 1), 'a')).toBeNull()
      expect(sealer.open(sealed.slice(0, at), 'a')).toBeNull()
    }
    for (const more of [`${sealed}A`, `${sealed}=`, ` ${sealed}`, `v2.${sealed.slice(3)}`])
      expect(sealer.open(more, 'a')).toBeNull()
  })

  test('the same text is sealed differently each time and never holds the text', () => {
    const sealed = new Set(Array.from({ length: 100 }, () => sealer.seal('whsec_abc', 'a')))
    expect(sealed.size).toBe(100)
    for (const text of sealed) expect(Buffer.from(text.slice(3), 'base64url').includes('whsec_abc')).toBe(false)
  })
})
