import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newUuid } from '../../kernel/ids.ts'
import { createSealer } from '../../kernel/sealing.ts'
import { invitationIn, linkOf, mailboxOf } from './invitation.ts'

const sealer = createSealer(randomBytes(32).toString('hex'))
const at = new Date('2026-11-20T09:30:00Z')
const key = { workspaceId: newUuid(at), id: newUuid(at) }
const link = linkOf({ publicUrl: 'https://earshot.test', sealer }, key)
const token = link.slice('https://earshot.test/invitations/'.length)

test.each([
  ['ann+shop+2@acme.example', 'ann@acme.example'],
  ['ann@acme+x.example', 'ann@acme+x.example'],
  ['a.n.n+x@googlemail.com', 'ann@gmail.com'],
  ['+no address', '+no address'],
])('mail to %s ends up at %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox)
})

test('a link is an address of one plain part, and leads back to its invitation', () => {
  expect(link).toMatch(/^https:\/\/earshot\.test\/invitations\/v1\.[A-Za-z0-9_-]+$/)
  expect(link.length).toBeLessThan(400)
  expect(invitationIn(sealer, token)).toEqual(key)
})

test('nobody reads from a link what it is for', () => {
  const plain = Buffer.from(token.slice('v1.'.length), 'base64url').toString('latin1')
  for (const part of [key.workspaceId, key.id]) expect(plain).not.toContain(part)
})

test('a link in which one character is another leads nowhere', () => {
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_'), (place, letter) => {
      fc.pre(token[place] !== letter)
      expect(invitationIn(sealer, token.slice(0, place) + letter + token.slice(place + 1))).toBeNull()
    }),
  )
})

test('a text that was sealed for something else, or by another installation, is no invitation', () => {
  expect(invitationIn(sealer, sealer.seal(JSON.stringify(key), 'account mail'))).toBeNull()
  expect(invitationIn(createSealer(randomBytes(32).toString('hex')), token)).toBeNull()
})

test('whatever somebody types is no invitation, and no error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String().map((text) => `v1.${text}`),
      ),
      (text) => invitationIn(sealer, text) === null,
    ),
  )
})
