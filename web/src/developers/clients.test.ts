import { expect, test } from 'vitest'
import { CLIENT_NAMES, isPrivateHost, setupFor, toolServerUrl } from './clients.ts'

test('every set-up holds the address, and files in JSON can be read', () => {
  const url = toolServerUrl('https://earshot.example', true)
  expect(url).toBe('https://earshot.example/mcp?tools=all')
  for (const client of CLIENT_NAMES) {
    const { signIn, withKey } = setupFor(client, url)
    const snippets = [signIn, withKey].filter((snippet) => snippet !== null)
    expect(snippets.length).toBeGreaterThan(0)
    for (const { code, language } of snippets) {
      expect(code).toContain(url)
      if (language === 'json') expect(() => JSON.parse(code)).not.toThrow()
    }
  }
})

test('a shell takes the address as it is', () => {
  const codeFor = (all: boolean) => setupFor('claudeCode', toolServerUrl('https://e.example', all)).signIn!.code
  expect(codeFor(false)).toMatch(/ https:\/\/e\.example\/mcp$/)
  expect(codeFor(true)).toMatch(/ 'https:\/\/e\.example\/mcp\?tools=all'$/)
})

test.each([
  ['https://earshot.example', false],
  ['http://localhost:4400', false],
  ['http://127.0.0.1:4400', false],
  ['http://nas:4400', true],
  ['http://192.168.1.5', true],
])('mcp-remote takes %s', (origin, isAllowed) => {
  const { code } = setupFor('claudeDesktop', toolServerUrl(origin, false)).withKey!
  expect(JSON.parse(code).mcpServers.earshot.args.includes('--allow-http')).toBe(isAllowed)
})

test('hosts of a machine or its network are told from others', () => {
  const hosts = ['localhost', '127.0.0.1', '10.1.2.3', '172.20.0.1', '[::1]', 'nas', 'earshot.example', '172.40.0.1']
  expect(hosts.map(isPrivateHost)).toEqual([true, true, true, true, true, true, false, false])
})
