import { expect, test } from 'vitest'
import { isForThisMachine, isOpenPort } from './open-port.ts'

test.each([
  ['127.0.0.1', 'http://localhost:4400', true, false],
  ['::1', 'http://127.0.0.1:4400', true, false],
  ['127.0.0.1', 'https://earshot.example.com', false, false],
  ['0.0.0.0', 'https://earshot.example.com', false, false],
  ['0.0.0.0', 'http://localhost:4400', false, true],
  ['10.0.0.5', 'http://localhost:4400', false, true],
])(
  'listening on %s with PUBLIC_URL %s: for this machine alone %s, worth a warning %s',
  (host, publicUrl, alone, warned) => {
    expect(isForThisMachine({ host, publicUrl })).toBe(alone)
    expect(isOpenPort({ host, publicUrl })).toBe(warned)
  },
)
