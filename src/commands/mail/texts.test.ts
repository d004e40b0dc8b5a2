import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountExistsText, invitationText, resetText, signInLinkText, signUpText } from './texts.ts'

const URL = 'https://earshot.test/sign-in/link/lnk_x'
const invited = (workspaceName: string, inviterName: string | null = 'Ann') =>
  invitationText({ workspaceName, inviterName, url: URL })

test.each([
  ['sign-in', signInLinkText(URL), 'for 15 minutes'],
  ['reset', resetText(URL), 'for an hour'],
  ['sign-up', signUpText(URL), 'for a day'],
  ['existing account', accountExistsText(URL), ''],
  ['invitation', invited('Acme'), 'for 2 days'],
])(
  'the mail about a %s has its link on a line of its own, and says how long it works',
  (_what, { subject, text }, lasting) => {
    expect(text.split('\n')).toContain(URL)
    expect(text).toContain(lasting)
    expect(text).toMatch(/ignore (this mail|it)/)
    expect(subject).toMatch(/^[\x20-\x7e“”]{10,80}$/)
  },
)

test('an invitation says who invites, and where to', () => {
  const { subject, text } = invited('Acme')
  expect(subject).toBe('You are invited to “Acme” on Earshot')
  expect(text).toContain('“Ann” invites you to work together in “Acme” on Earshot.')
  expect(invited('Acme', null).text).toContain('Somebody invites you')
  expect(invited('\u200b \u0000').subject).toBe('You are invited to a workspace on Earshot')
})

describe('a name in a mail', () => {
  test('never leads anywhere: no mail program finds an address in it', () => {
    for (const name of [
      'https://evil.example/x',
      'evil.example',
      'www.evil.example',
      'eve@evil.example',
      'HTTP:\\\\evil.example',
      'evil。example',
    ])
      expect(invited(name, name).text.replace(URL, '')).not.toMatch(/[^\s.][.。]\w|:\/\/|\S@\S|\\\S/)
  })

  test('keeps what it is when it is ordinary', () => {
    for (const name of ['Müller & Söhne', 'Zoë', '株式会社', "O'Neil, Inc.", '№ 5 – Café'])
      expect(invited(name).subject).toContain(name === "O'Neil, Inc." ? name : name.normalize('NFC'))
  })

  test('is one short line between quotes without anything unseen, whatever it is', () => {
    const strange = fc.string({
      unit: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 4 }),
        fc.constantFrom('\r\n', '\u2028', '\u202e', '\u200b', '”', '“', '"', URL),
      ),
      maxLength: 80,
    })
    fc.assert(
      fc.property(strange, strange, (workspaceName, inviterName) => {
        const { subject, text } = invitationText({ workspaceName, inviterName, url: URL })
        expect(subject).toMatch(/^You are invited to (a workspace|“[^“”"\p{C}\p{Zl}\p{Zp}]{1,60}”) on Earshot$/u)
        const lines = text.split('\n')
        expect(lines).toHaveLength(8)
        expect(lines[0]).toMatch(
          /^(Somebody|“[^“”"\p{C}]{1,60}”) invites you to work together in (a workspace|“[^“”"\p{C}]{1,60}”) on Earshot\. Open this link to accept:$/u,
        )
        expect(text.match(/https?:\/\/\S+/g)).toEqual([URL])
      }),
    )
  })
})
