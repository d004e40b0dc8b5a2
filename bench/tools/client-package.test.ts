import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundledClient, CLIENT_BYTES_MAX } from './client-package.ts'

test('the client package is small, and whole', async () => {
  const script = await bundledClient()
  for (const name of ['createClient', 'verifyWebhook', 'isEarshotError']) expect(script).toContain(name)
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(CLIENT_BYTES_MAX)
  expect(script).not.toMatch(/\bfrom\s*["']|\brequire\(/)
})
