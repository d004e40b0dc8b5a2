import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRefusal } from '../refusal/refusal.ts'
import { checkAccount, foldEmail, nameFromProvider, nameProblem, passwordProblem } from './account.ts'

describe('an address', () => {
  test.each([
    ['jane@acme.com', 'jane@acme.com'],
    ['  Jane.Doe+news@ACME.co.uk\n', 'jane.doe+news@acme.co.uk'],
    ["o'brien@mail.example", "o'brien@mail.example"],
    ['root@localhost', 'root@localhost'],
    [`${'a'.repeat(64)}@acme.com`, `${'a'.repeat(64)}@acme.com`],
  ])('%j is %j', (text, folded) => expect(foldEmail(text)).toBe(folded))

  test.each([
    '',
    'jane',
    '@acme.com',
    'jane@',
    'jane@acme..com',
    'jane@-acme.com',
    'jane doe@acme.com',
    'jane@acme.com, joe@acme.com',
    'jane@acme.com\nBcc: joe@acme.com',
    'Jane <jane@acme.com>',
    `${'a'.repeat(65)}@acme.com`,
    `jane@${`${'a'.repeat(60)}.`.repeat(5)}com`,
    'j\u0430ne@acme.com',
  ])('%j is none', (text) => expect(foldEmail(text)).toBeNull())

  // The Kelvin sign becomes an ASCII k in lower case, and would lead into the account of somebody else.
  test('with a letter that only looks like ASCII is none', () => expect(foldEmail('\u212Aate@acme.com')).toBeNull())

  test('is folded once and for all, to ASCII without capitals', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })), (text) => {
        const folded = foldEmail(text)
        if (folded === null) return
        expect(foldEmail(folded)).toBe(folded)
        expect(folded).toMatch(/^[!-@^-~]+$/)
        expect(foldEmail(` ${text.toUpperCase()} `)).toBe(folded)
      }),
    )
  })
})

describe('a name', () => {
  test.each(['Jane', '李', 'x', 'Jane "JD" Doe <3', `${'a'.repeat(80)}`, '👩‍💻', 'نازنین', '  spaced  '])(
    '%j is fine',
    (name) => expect(nameProblem(name)).toBeNull(),
  )
  test.each([
    '',
    '   ',
    '\u0000\u0007',
    '\u200b\u200d',
    'a'.repeat(81),
    'Win at https://evil.example',
    'WWW.evil.example',
    'abc\u202ednb',
  ])('%j is not', (name) => expect(nameProblem(name)).toMatch(/^must /))
  test('of a provider gives way to the address where no person could have typed it', () => {
    expect(nameFromProvider(' Jane  Doe ', 'jane@acme.com')).toBe('Jane Doe')
    expect(nameFromProvider('', 'jane@acme.com')).toBe('jane')
    expect(nameFromProvider('a'.repeat(500), 'jane@acme.com')).toBe('jane')
  })
})

describe('a password', () => {
  test.each(['correct horse', 'ünïcödé wörds', '👩‍💻👩‍💻👩‍💻👩‍💻', 'a b c d e f', 'a'.repeat(199).concat('b')])(
    '%j will do',
    (password) => expect(passwordProblem(password, 'jane@acme.com')).toBeNull(),
  )
  test.each([
    ['short', /at least 10/],
    ['👍👍👍👍👍', /at least 10/],
    ['a'.repeat(200).concat('b'), /at most 200/],
    ['Someone.Longer@acme.com', /address/],
    ['someone.longer', /address/],
    ['Password123', /common password/],
    ['ＱＷＥＲＴＹＵＩＯＰ', /common password/],
    ['zzzzzzzzzzzz', /common password/],
    ['          x', /common password/],
    ['            ', /of spaces/],
  ])('%j will not', (password, problem) =>
    expect(passwordProblem(password, 'someone.longer@acme.com')).toMatch(problem),
  )
})

describe('an account', () => {
  test('keeps the address as written beside the folded one, and the name on one line', () => {
    expect(checkAccount({ email: ' Jane@Acme.com ', name: ' Jane\n Doe ', password: 'correct horse' })).toEqual({
      email: 'Jane@Acme.com',
      emailFolded: 'jane@acme.com',
      name: 'Jane Doe',
    })
  })
  test.each([
    [{ email: 'jane' }, /^email: /],
    [{ name: '' }, /^name: /],
    [{ password: 'x' }, /^password: /],
    [{ password: 'jane@acme.com' }, /^password: /],
  ])('with %j is refused by the name of the field', (wrong, message) => {
    const refused = checkAccount({ email: 'jane@acme.com', name: 'Jane', password: 'correct horse', ...wrong })
    expect(isRefusal(refused) && refused.message).toMatch(message)
  })
})
