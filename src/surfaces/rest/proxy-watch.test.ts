import { expect, test, vi } from 'vitest'
import { silentLog } from '../../kernel/log.ts'
import { ProxyWatch } from './proxy-watch.ts'

const seen = (trusted: string[], peers: [string | undefined, boolean][]) => {
  const log = { ...silentLog, warn: vi.fn() }
  const watch = new ProxyWatch(trusted, log)
  for (const [remoteAddress, forwards] of peers)
    watch.see({ headers: forwards ? { 'x-forwarded-for': '10.1.2.3' } : {}, socket: { remoteAddress } } as Parameters<
      ProxyWatch['see']
    >[0])
  return log.warn.mock.calls.map(([fields]) => fields.peer)
}

test('a proxy that the settings do not name is told of once', () => {
  expect(
    seen(
      [],
      [
        ['192.168.1.2', false],
        ['192.168.1.2', true],
        ['192.168.1.3', true],
      ],
    ),
  ).toEqual(['192.168.1.2'])
  expect(seen(['10.0.0.0/8'], [['192.168.1.2', true]])).toEqual(['192.168.1.2'])
})

test('one that they name is not', () => {
  expect(
    seen(
      ['10.0.0.0/8', '::1'],
      [
        ['10.9.9.9', true],
        ['::ffff:10.9.9.9', true],
        ['::1', true],
      ],
    ),
  ).toEqual([])
})
