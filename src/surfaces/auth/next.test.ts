import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localPath, withNext } from './next.ts'

const SITE = 'https://earshot.test'

describe('where somebody goes on to', () => {
  test.each([
    '/account',
    '/oauth/authorize?client_id=a&state=%2F%2F',
    '/',
    '/a/../b',
    '/@evil.example',
    '/sign-in?next=%2Faccount',
  ])('%s is a place of ours', (next) => {
    expect(new URL(localPath(next, SITE)!, SITE).origin).toBe(SITE)
  })

  test.each([
    '',
    'account',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\b',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    `/${'a'.repeat(6000)}`,
    '/\u0000',
    '/ü',
  ])('%j is not', (next) => {
    expect(localPath(next, SITE)).toBeNull()
  })

  test('whatever is asked for, a browser that is led there stays here', () => {
    const part = fc.constantFrom(
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '\r',
      ' ',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'https:',
      '[',
      ']',
      '\u0000',
      '\u3002',
      '／',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
          fc.webUrl(),
          fc.string(),
        ),
        (next) => {
          const path = localPath(next, SITE)
          if (path === null) return
          for (const base of [`${SITE}/sign-in`, `${SITE}/a/b/c?d`]) expect(new URL(path, base).origin).toBe(SITE)
          // What comes out goes in again unchanged: it is checked once more wherever it was carried along.
          expect(localPath(path, SITE)).toBe(path)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is taken along whole', () => {
    const next = '/oauth/authorize?a=b&c=d%20e'
    expect(new URL(withNext('/sign-in', next), SITE).searchParams.get('next')).toBe(next)
    expect(withNext('/sign-in', null)).toBe('/sign-in')
  })
})
