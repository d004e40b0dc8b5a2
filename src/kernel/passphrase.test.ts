import { expect, test } from 'vitest'
import { openByPassphrase, passphraseSealedSchema, sealByPassphrase } from './passphrase.ts'

test('a text opens with its passphrase, however that was typed, and with no other', async () => {
  const sealed = await sealByPassphrase('the key', 'Grünes Schloß 7')
  expect(passphraseSealedSchema.parse(JSON.parse(JSON.stringify(sealed)))).toEqual(sealed)
  expect(JSON.stringify(sealed)).not.toContain('the key')
  expect(await openByPassphrase(sealed, 'Grünes Schloß 7'.normalize('NFD'))).toBe('the key')
  expect(await openByPassphrase(sealed, 'grünes Schloß 7')).toBe(null)
  expect((await sealByPassphrase('the key', 'Grünes Schloß 7')).sealed).not.toBe(sealed.sealed)
})

test('a changed text does not open', async () => {
  const sealed = await sealByPassphrase('the key', 'a passphrase')
  const other = await sealByPassphrase('the key', 'a passphrase')
  for (const change of [
    { salt: other.salt },
    { nonce: other.nonce },
    { sealed: other.sealed },
    { nonce: 'AAAA' },
    { sealed: '' },
  ])
    expect(await openByPassphrase({ ...sealed, ...change }, 'a passphrase')).toBe(null)
  const made = (change: object) => passphraseSealedSchema.safeParse({ ...sealed, ...change }).success
  expect([{ cost: 2 ** 21 }, { blockSize: 17 }, { kdf: 'none' }, { salt: '*' }].map(made)).toEqual(Array(4).fill(false))
})
