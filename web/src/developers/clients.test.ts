import { expect, test } from 'vitest'
import { isPrivateHost, setupsFor, toolServerUrl } from './clients.ts'

test('every set-up holds the address, and files in JSON can be read', () => {
  const url = toolServerUrl('https://earshot.example', true)
  expect(url).toBe('https://earshot.example/mcp?tools=all')
  const setups = setupsFor(url)
  expect(new Set(setups.map(({ id }) => id)).size).toBe(setups.length)
  for (const { code, language } of setups) {
    expect(code).toContain(url)
    if (language === 'json') expect(() => JSON.parse(code)).not.toThrow()
  }
})

test('hosts of a machine or its network are told from others', () => {
  const hosts = ['localhost', '127.0.0.1', '10.1.2.3', '172.20.0.1', '[::1]', 'nas', 'earshot.example', '172.40.0.1']
  expect(hosts.map(isPrivateHost)).toEqual([true, true, true, true, true, true, false, false])
})
