import { expect, test } from 'vitest'
import { readScope, scopeText, within } from './scope.ts'

test.each<[string | null, 'read' | 'write' | null]>([
  [null, 'read'],
  ['read', 'read'],
  ['write', 'write'],
  ['write read', 'write'],
  ['openid read offline_access', 'read'],
  ['openid', 'read'],
  ['openid email profile', 'read'],
  ['claudeai', 'read'],
  ['READ', 'read'],
  ['', null],
  [' read', null],
  ['read  write', null],
  ['read\twrite', null],
  ['re"ad read', null],
])('%j asks for %s', (text, scope) => {
  expect(readScope(text)).toBe(scope)
})

test('who names nothing of ours asks for what is there anyhow', () => {
  expect([readScope(null, 'write'), readScope('openid', 'write'), readScope('openid read', 'write')]).toEqual([
    'write',
    'write',
    'read',
  ])
})

test('who may write may read, and nobody who may read may write', () => {
  expect([within('read', 'read'), within('read', 'write'), within('write', 'write'), within('write', 'read')]).toEqual([
    'read',
    'read',
    'write',
    'read',
  ])
  expect([scopeText('read'), scopeText('write')]).toEqual(['read', 'read write'])
})
