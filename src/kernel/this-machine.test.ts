import { expect, test } from 'vitest'
import { isLoopback, isOfThisMachine } from './this-machine.ts'

test.each([
  'http://localhost',
  'http://localhost:4400',
  'https://localhost',
  'http://127.0.0.1:4400',
  'http://127.8.9.1',
  'http://[::1]:4400',
])('%s is on this machine', (origin) => expect(isOfThisMachine(origin)).toBe(true))

test.each([
  'https://earshot.example.com',
  'http://localhost.example.com',
  'http://notlocalhost',
  'http://127.0.0.1.example.com',
  'http://10.0.0.1:4400',
  'http://[::2]',
  'http://192.168.1.2',
  'http://0.0.0.0:4400',
])('%s is not, or may not be', (origin) => expect(isOfThisMachine(origin)).toBe(false))

test.each(['localhost', '127.0.0.1', '127.0.0.9', '::1', '::ffff:127.0.0.1'])(
  'a server on %s is reached from this machine alone',
  (host) => expect(isLoopback(host)).toBe(true),
)

test.each(['0.0.0.0', '::', '10.0.0.1', 'localhost.example.com', ''])(
  'a server on %j may be reached from elsewhere',
  (host) => expect(isLoopback(host)).toBe(false),
)
