import { expect, test } from 'vitest'
import { serverSettings } from './settings.ts'

const GIB = 2 ** 30

function settingsWith(room: { memory: number; disk: number }, more: Record<string, string> = {}): Map<string, string> {
  const parts = serverSettings({ socketFolder: '/run/earshot', port: 5432, durable: true, room, more })
  return new Map(parts.filter((part) => part !== '-c').map((part) => part.split(/=(.*)/s) as [string, string]))
}

test.each([
  [
    'a small container',
    { memory: GIB / 2, disk: 2 * GIB },
    { shared_buffers: '128MB', work_mem: '4MB', max_wal_size: '1024MB', min_wal_size: '128MB' },
  ],
  [
    'a laptop',
    { memory: 8 * GIB, disk: 60 * GIB },
    { shared_buffers: '1024MB', work_mem: '8MB', max_wal_size: '10240MB', min_wal_size: '1280MB' },
  ],
  [
    'a large server',
    { memory: 256 * GIB, disk: 4096 * GIB },
    { shared_buffers: '3072MB', work_mem: '16MB', max_wal_size: '16384MB', min_wal_size: '2048MB' },
  ],
])('memory and log are sized for %s', (_, room, expected) => {
  expect(Object.fromEntries(settingsWith(room))).toMatchObject(expected)
})

test('what is asked for replaces what is derived', () => {
  expect(settingsWith({ memory: GIB, disk: GIB }, { max_wal_size: '2GB' }).get('max_wal_size')).toBe('2GB')
})
