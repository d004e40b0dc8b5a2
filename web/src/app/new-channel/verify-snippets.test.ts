import { expect, test } from 'vitest'
import { VERIFY_SNIPPETS } from './verify-snippets.ts'

const SECRET = 'whsec_dGhlIHNlY3JldA=='
const BODY = '{"event":"test"}'

type IsGenuine = (secret: string, headers: Record<string, string>, rawBody: string) => boolean

async function nodeSnippet(): Promise<IsGenuine> {
  const module = `data:text/javascript,${encodeURIComponent(VERIFY_SNIPPETS['Node.js'])}`
  return ((await import(/* @vite-ignore */ module)) as { isGenuine: IsGenuine }).isGenuine
}

async function signedAt(milliseconds: number): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(milliseconds / 1000))
  const encode = (text: string) => new TextEncoder().encode(text)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(SECRET), hmac, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(`${timestamp}.${BODY}`)))
  const signature = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { 'x-mentions-timestamp': timestamp, 'x-mentions-signature-v2': `v2=${signature}` }
}

test('the snippet for Node.js accepts what the service signs, and nothing else', async () => {
  const isGenuine = await nodeSnippet()
  expect(isGenuine(SECRET, await signedAt(Date.now()), BODY)).toBe(true)
  expect(isGenuine(SECRET, await signedAt(Date.now()), `${BODY} `)).toBe(false)
  expect(isGenuine('whsec_other', await signedAt(Date.now()), BODY)).toBe(false)
  expect(isGenuine(SECRET, await signedAt(Date.now() - 600_000), BODY)).toBe(false)
  expect(isGenuine(SECRET, {}, BODY)).toBe(false)
})

test('every snippet reads both headers and compares in constant time', () => {
  const compared = /timingSafeEqual|compare_digest|hmac\.Equal|secure_compare|hash_equals/
  for (const snippet of Object.values(VERIFY_SNIPPETS)) {
    expect(snippet.toLowerCase()).toContain('x-mentions-timestamp')
    expect(snippet.toLowerCase()).toContain('x-mentions-signature-v2')
    expect(snippet).toMatch(compared)
    expect(snippet).toMatch(/300|5\*time\.Minute/)
  }
})
