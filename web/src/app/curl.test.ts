import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

test('a request becomes a command that a shell reads as it was', () => {
  expect(curlOf({ method: 'GET', address: '/v1/whoami?a=1', body: null }, 'http://localhost')).toBe(
    `curl 'http://localhost/v1/whoami?a=1' \\\n  -H "Authorization: Bearer $EARSHOT_API_KEY"`,
  )
  expect(curlOf({ method: 'POST', address: '/v1/groups', body: `{"name":"it's"}` }, 'https://e.example')).toBe(
    [
      `curl 'https://e.example/v1/groups'`,
      '-X POST',
      `-H "Authorization: Bearer $EARSHOT_API_KEY"`,
      `-H 'Content-Type: application/json'`,
      `-d '{"name":"it'\\''s"}'`,
    ].join(' \\\n  '),
  )
})
