import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRegistered, REDIRECT_URI_MAX, redirectTarget, redirectUriProblem, withAnswer } from './redirect-uri.ts'

const GOOD = [
  'https://client.example/callback',
  'https://client.example',
  'https://client.example:8443/cb?tenant=1&x=%20y',
  'https://claude.ai/api/mcp/auth_callback',
  'https://xn--mnchen-3ya.example/cb',
  'http://localhost/callback',
  'http://localhost:3334/oauth/callback',
  'http://127.0.0.1:33418/',
  'http://127.0.0.1',
  'http://[::1]:8080/cb',
  'cursor://anysphere.cursor-retrieval/oauth/user-abc/callback',
  'vscode://vscode.github-authentication/did-authenticate',
  'com.example.app:/oauth2redirect',
]

const BAD = [
  '',
  ' ',
  'callback',
  '/callback',
  '//client.example/callback',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'javascript://client.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'vbscript:x',
  'blob:https://client.example/1',
  'about:blank',
  'view-source:https://client.example',
  'ms-msdt:/id',
  'search-ms:query=x',
  'mailto:a@b.example',
  'ftp://client.example/cb',
  'ws://client.example/cb',
  'http://client.example/cb',
  'http://localhost.evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://127.1/cb',
  'http://2130706433/cb',
  'http://0.0.0.0/cb',
  'http://[::]/cb',
  'http://[::ffff:127.0.0.1]/cb',
  'http://LOCALHOST/cb',
  'HTTPS://client.example/cb',
  'https:client.example/cb',
  'https:/client.example/cb',
  'https:///client.example/cb',
  'https://',
  'https://user@client.example/cb',
  'https://user:secret@client.example/cb',
  'https://@client.example/cb',
  'http://localhost:80@evil.example/cb',
  'https://client.example/cb#fragment',
  'https://client.example/cb#',
  'https://client.example\\@evil.example/cb',
  'https://client.example/c b',
  'https://client.example/cb\n',
  'https://client.example/%',
  'https://client.example/%zz',
  'https://client.example/ü',
  'https://client.example:0/cb',
  'https://client.example:99999/cb',
  "https://client.example;script-src'unsafe-inline'/cb",
  'https://client.example,evil.example/cb',
  'https://*/cb',
  'https://*.example/cb',
  'https://client.example./cb',
  `https://client.example/${'x'.repeat(REDIRECT_URI_MAX)}`,
]

test.each(GOOD)('answers may go to %s', (uri) => {
  expect(redirectUriProblem(uri)).toBeNull()
  expect(isRegistered(uri, ['https://other.example/', uri])).toBe(true)
})

test.each(BAD)('answers may not go to %j, not even when it is registered', (uri) => {
  expect(redirectUriProblem(uri)).toMatch(/^(?:must|is) /)
  expect(isRegistered(uri, [uri])).toBe(false)
})

describe('an address is the registered one', () => {
  test('on this machine at any port, with nothing else changed', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const registered = [`http://${host}:1000/cb?a=1`]
      for (const port of ['', ':1', ':1000', ':65535'])
        expect(isRegistered(`http://${host}${port}/cb?a=1`, registered)).toBe(true)
      for (const other of [
        `http://${host}/cb`,
        `http://${host}/cb?a=2`,
        `http://${host}/cb/?a=1`,
        `https://${host}/cb?a=1`,
        `http://${host}:65536/cb?a=1`,
      ])
        expect(isRegistered(other, registered)).toBe(false)
    }
    expect(isRegistered('http://localhost/cb', ['http://127.0.0.1/cb'])).toBe(false)
  })

  test('elsewhere to the letter, and at its own port only', () => {
    for (const more of ['/', '/more', '?x=1', 'x', '/../cb'])
      expect(isRegistered(`https://client.example/cb${more}`, ['https://client.example/cb'])).toBe(false)
    expect(isRegistered('https://client.example:1/cb', ['https://client.example/cb'])).toBe(false)
    expect(isRegistered('https://127.0.0.1:1/cb', ['https://127.0.0.1/cb'])).toBe(false)
  })

  test('and no text that differs leads to another host or path', () => {
    const pieces = fc.constantFrom(
      'https://',
      'http://',
      'localhost',
      '127.0.0.1',
      ':1',
      ':80',
      '@',
      '/',
      '\\',
      '/cb',
      '?',
      '#',
      '%2f',
      '.',
      'evil.example',
      '..',
      '[::1]',
      ' ',
      '\t',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const asked = parts.join('')
        if (!isRegistered(asked, ['http://localhost/cb', 'https://client.example/cb'])) return
        const { hostname, pathname, username, search, hash } = new URL(asked)
        expect([hostname, pathname, username, search, hash]).toEqual(['localhost', '/cb', '', '', ''])
      }),
      { numRuns: 5000 },
    )
  })
})

test('a target is named by what a person can judge', () => {
  expect(redirectTarget('https://client.example:8443/cb')).toEqual({ kind: 'site', name: 'client.example:8443' })
  expect(redirectTarget('http://[::1]:80/cb')).toEqual({ kind: 'this_machine', name: '[::1]' })
  expect(redirectTarget('http://localhost:3334/cb')).toEqual({ kind: 'this_machine', name: 'localhost:3334' })
  expect(redirectTarget('com.example.app:/cb')).toEqual({ kind: 'app', name: 'com.example.app' })
})

test('an answer can be read as it was meant, whatever is in it, and leaves the address as it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...GOOD), fc.string({ unit: 'binary' }), (uri, state) => {
      const answer = withAnswer(uri, { code: 'c', state: state.toWellFormed(), nothing: null })
      expect(answer.startsWith(uri)).toBe(true)
      expect(answer).toMatch(/^[\x21-\x7e]+$/)
      const { searchParams } = new URL(answer)
      expect([searchParams.get('code'), searchParams.get('state'), searchParams.has('nothing')]).toEqual([
        'c',
        state.toWellFormed(),
        false,
      ])
    }),
  )
})
