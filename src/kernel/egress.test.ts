import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress, EgressBan, isPublicAddress, judgingLookup, type Lookup, parseEgressAllow } from './egress.ts'

/** A few addresses of every banned range, at its edges and in several spellings, as they may stand in a URL. */
const BANNED_HOSTS: Record<string, readonly string[]> = {
  'this network': ['0.0.0.0', '0.255.255.255', '0', '0x0', '00'],
  loopback: [
    '127.0.0.1',
    '127.255.255.254',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
    '127.0.1',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
  ],
  'private 10/8': ['10.0.0.0', '10.255.255.255', '167772161', '0xa.1'],
  'shared 100.64/10': ['100.64.0.0', '100.127.255.255'],
  'link-local': ['169.254.0.0', '169.254.169.254', '2852039166', '0xa9fea9fe', '169.254.43518'],
  'private 172.16/12': ['172.16.0.0', '172.31.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.170', '192.0.0.255'],
  'private 192.168/16': ['192.168.0.0', '192.168.255.255', '0300.0250.0.1'],
  benchmarking: ['198.18.0.0', '198.19.255.255'],
  'test networks': ['192.0.2.1', '198.51.100.1', '203.0.113.1'],
  multicast: ['224.0.0.1', '239.255.255.255'],
  reserved: ['240.0.0.1', '255.255.255.255', '4294967295'],
  'IPv6 unspecified': ['[::]', '[0:0:0:0:0:0:0:0]', '[::0.0.0.0]'],
  'IPv6 loopback': ['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000::0001]', '[::0.0.0.1]'],
  'IPv6 link-local': ['[fe80::1]', '[febf:ffff::1]', '[FE80::1]'],
  'IPv6 site-local': ['[fec0::1]'],
  'IPv6 unique local': ['[fc00::1]', '[fdff:ffff::1]', '[fd00:ec2::254]'],
  'IPv6 multicast': ['[ff02::1]', '[ffff::1]'],
  'IPv4-mapped': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:a00:1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:0:0]',
  ],
  'IPv4-compatible': ['[::127.0.0.1]', '[::7f00:1]', '[::8.8.8.8]', '[::a00:1]'],
  'IPv4-translated': ['[::ffff:0:127.0.0.1]'],
  NAT64: ['[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b::808:808]', '[64:ff9b:1::a00:1]'],
  '6to4': ['[2002:7f00:1::]', '[2002:a00:1::1]', '[2002:808:808::1]'],
  Teredo: ['[2001:0:7f00:1::]'],
  documentation: ['[2001:db8::1]', '[3fff::1]'],
  discard: ['[100::1]'],
  dummy: ['[100:0:0:1::1]', '[100::1:ffff:ffff:ffff:ffff]'],
}
const banned = Object.entries(BANNED_HOSTS).flatMap(([range, hosts]) => hosts.map((host) => [range, host] as const))
const PUBLIC_ADDRESSES = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '100.63.255.255',
  '100.128.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:8.8.8.8',
]

const egress = createEgress({ allow: [] })
afterAll(() => egress.close())

describe('addresses', () => {
  test.each(banned)('%s: %s is not public and not accepted in a URL', (_range, host) => {
    expect(isPublicAddress(new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, ''))).toBe(false)
    expect(egress.check(`https://${host}/hook`)).not.toBeNull()
    expect(egress.check(`https://${host}:8443/hook`)).not.toBeNull()
  })

  // Loopback addresses only, so that this test stays on the machine even on the day that the ban fails.
  test.each([...BANNED_HOSTS['loopback']!, ...BANNED_HOSTS['IPv6 loopback']!, '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'])(
    '%s is not connected to',
    async (host) => {
      await expect(request(`http://${host}:9/`, { dispatcher: egress.dispatcher })).rejects.toBeInstanceOf(EgressBan)
    },
  )

  test.each(PUBLIC_ADDRESSES)('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
    expect(egress.check(`https://${address.includes(':') ? `[${address}]` : address}/hook`)).toBeNull()
  })

  test('text that is no address is not public', () => {
    for (const text of ['', 'example.com', '1.2.3', '::g', '8.8.8.8/0']) expect(isPublicAddress(text)).toBe(false)
  })
})

describe('the check of an address before it is stored', () => {
  test.each([
    'https://example.com/',
    'https://example.com:8443/a?b=c#d',
    'HTTPS://Example.COM/x',
    'https://bücher.example/hook',
    'https://a_b.example.com',
  ])('%s is accepted', (url) => {
    expect(egress.check(url)).toBeNull()
  })

  test.each([
    ['http://example.com/', 'must be an https URL'],
    ['ftp://example.com/', 'must be an https URL'],
    ['example.com', 'must be an https URL'],
    ['https:example.com', 'must be an https URL'],
    ['', 'must be an https URL'],
    ['https://', 'must be an https URL'],
    ['https://exa mple.com/', 'must not hold white space, backslashes or control characters'],
    ['https://example.com\\@127.0.0.1/', 'must not hold white space, backslashes or control characters'],
    ['https://example.com/\n', 'must not hold white space, backslashes or control characters'],
    ['https://user@example.com/', 'must not hold a user name or password'],
    ['https://user:password@example.com/', 'must not hold a user name or password'],
    ['https://@example.com/', 'must not hold a user name or password'],
    ['https://:@example.com/', 'must not hold a user name or password'],
    ['https://example.com:0/', 'must not name port 0'],
    ['https://example.com:99999/', 'must be an https URL'],
    ['https://example.com./', 'must not have a host that ends in a dot'],
    ['https://localhost/', 'must name a public host'],
    ['https://LOCALHOST/', 'must name a public host'],
    ['https://db.localhost/', 'must name a public host'],
    ['https://printer.local/', 'must name a public host'],
    ['https://metadata.google.internal/', 'must name a public host'],
    ['https://intranet/', 'must name a public host'],
    ['https://-a.example.com/', 'must name a public host'],
    ['https://a..example.com/', 'must name a public host'],
    [`https://${'a'.repeat(64)}.example.com/`, 'must name a public host'],
    [`https://example.com/${'a'.repeat(2048)}`, 'must have at most 2048 characters'],
  ])('%s is refused', (url, reason) => {
    expect(egress.check(url)).toEqual({ reason })
  })

  test('an at sign behind the host is part of the path', () => {
    expect(egress.check('https://example.com/@team?to=a@b.c')).toBeNull()
  })
})

describe('exempt destinations', () => {
  test('a list of hosts, ports, addresses and ranges is read, and a bad entry is named', () => {
    const entries = [
      'receiver.test',
      'receiver.test:4800',
      '127.0.0.1',
      '127.0.0.1:4800',
      '10.0.0.0/8',
      '::1',
      '[::1]:4800',
      'fd00::/8',
      'bücher.test',
    ]
    expect(parseEgressAllow(` ${entries.join(', ')},`)).toEqual(entries)
    expect(parseEgressAllow('')).toEqual([])
    for (const bad of [
      '10.0.0.0/33',
      '10.0.0/8',
      '10/8',
      'a/b',
      'host:0',
      'host:70000',
      'host:x',
      '[::1',
      '[::g]:1',
      '127.1',
      '2130706433',
      'https://a.test',
      'a..b',
      '*',
      '-',
    ]) {
      const parsed = parseEgressAllow(`ok.test,${bad}`)
      expect(parsed).toHaveProperty('problem', expect.stringContaining(JSON.stringify(bad)))
      expect(() => createEgress({ allow: [bad] })).toThrow(RangeError)
    }
  })

  test('http is allowed for them and for nothing else', () => {
    const some = createEgress({
      allow: ['Receiver.test', 'ported.test:4800', '127.0.0.0/8', '[::1]:4800', '::ffff:10.0.0.0/104'],
    })
    for (const url of [
      'http://receiver.test/',
      'http://receiver.test:1/',
      'https://RECEIVER.test/',
      'http://ported.test:4800/',
      'http://127.0.0.1:9/',
      'http://2130706433/',
      'http://[::1]:4800/',
      'http://[::ffff:127.0.0.1]/',
      'https://10.1.2.3/',
    ]) {
      expect(some.check(url), url).toBeNull()
    }
    for (const url of [
      'http://sub.receiver.test/',
      'http://ported.test/',
      'https://[::1]/',
      'http://128.0.0.1/',
      'http://11.0.0.1/',
      'http://receiver.test.evil.example/',
    ]) {
      expect(some.check(url), url).not.toBeNull()
    }
  })
})

describe('connections', () => {
  let server: Server
  let port = 0
  let hits = 0
  beforeAll(async () => {
    server = createServer((_request, response) => {
      hits += 1
      response.end('reached')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const answering = (...answers: string[][]): Lookup & { asked: () => number } => {
    let asked = 0
    const lookup = async () =>
      (answers[Math.min(asked++, answers.length - 1)] ?? []).map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }))
    return Object.assign(lookup, { asked: () => asked })
  }
  const ask = async (allow: string[], lookup: Lookup, host = 'receiver.test', connectTimeoutMs = 500) => {
    const egress = createEgress({ allow, lookup, connectTimeoutMs })
    try {
      const reply = await request(`http://${host}:${port}/`, { dispatcher: egress.dispatcher })
      return await reply.body.text()
    } catch (error) {
      return error
    } finally {
      await egress.close()
    }
  }

  test('a name with an address that is not public is not connected to', async () => {
    const before = hits
    for (const address of ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1']) {
      expect(await ask([], answering([address])), address).toBeInstanceOf(EgressBan)
    }
    expect(await ask(['127.0.0.1'], answering(['127.0.0.1', '127.0.0.2']))).toBeInstanceOf(EgressBan)
    expect(await ask(['127.0.0.1'], answering(['127.0.0.2', '127.0.0.1']))).toBeInstanceOf(EgressBan)
    expect(hits).toBe(before)
  })

  test('one private address among public ones condemns the name, wherever it stands', async () => {
    const judged = (answers: string[]) =>
      new Promise((resolve) =>
        judgingLookup(answering(answers), (_host, address) => isPublicAddress(address))(
          'a.test',
          { all: true },
          (error, addresses) => resolve(error ?? addresses),
        ),
      )
    const many = Array.from({ length: 20 }, (_, at) => `8.8.8.${at}`)
    for (const answers of [
      ['127.0.0.1', '8.8.8.8'],
      ['8.8.8.8', '10.0.0.1'],
      [...many, '169.254.169.254'],
      ['2606:4700::1111', '::1'],
      ['8.8.8.8', '::ffff:10.0.0.1'],
      ['10.0.0.1'],
    ]) {
      expect(await judged(answers), answers.join()).toBeInstanceOf(EgressBan)
    }
    expect(await judged(['8.8.8.8', '2606:4700::1111'])).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await judged(many)).toHaveLength(6)
  })

  test('a name that has become private since its last connection is not connected to again', async () => {
    const lookup = answering(['127.0.0.1'], ['127.0.0.2'])
    const egress = createEgress({ allow: ['127.0.0.1'], lookup })
    const url = `http://receiver.test:${port}/`
    expect(await (await request(url, { dispatcher: egress.dispatcher, reset: true })).body.text()).toBe('reached')
    await expect(request(url, { dispatcher: egress.dispatcher })).rejects.toBeInstanceOf(EgressBan)
    expect(lookup.asked()).toBe(2)
    await egress.close()
  })

  test('a connection goes to the answer that was judged: the name is resolved once', async () => {
    const lookup = answering(['127.0.0.1'], ['127.0.0.2'])
    expect(await ask(['127.0.0.1'], lookup)).toBe('reached')
    expect(lookup.asked()).toBe(1)
  })

  test('an exempt host is connected to whatever it resolves to, at its port only when one is named', async () => {
    expect(await ask(['receiver.test'], answering(['127.0.0.1']))).toBe('reached')
    expect(await ask([`receiver.test:${port}`], answering(['127.0.0.1']))).toBe('reached')
    expect(await ask([`127.0.0.1:${port}`], answering(['127.0.0.1']))).toBe('reached')
    expect(await ask(['127.0.0.0/8'], answering([]), '127.0.0.1')).toBe('reached')
    expect(await ask([`receiver.test:${port === 1 ? 2 : 1}`], answering(['127.0.0.1']))).toBeInstanceOf(EgressBan)
    expect(await ask(['other.test'], answering(['127.0.0.1']))).toBeInstanceOf(EgressBan)
    expect(await ask(['127.0.0.2'], answering([]), '127.0.0.1')).toBeInstanceOf(EgressBan)
  })

  test('an exempt address is tried after one that does not answer', async () => {
    expect(await ask(['127.0.0.0/8', '::1'], answering(['::1', '127.0.0.1']), 'receiver.test', 3000)).toBe('reached')
  })

  test('a refusal does not tell the address, which would tell a stranger how names resolve inside', async () => {
    const egress = createEgress({ allow: [] })
    await expect(request(`http://127.0.0.1:${port}/`, { dispatcher: egress.dispatcher })).rejects.toThrow(
      /^the host has an address that is not public$/,
    )
    await egress.close()
  })

  test('a name without addresses, or one that cannot be resolved, fails in the ordinary way', async () => {
    expect(await ask([], answering([]))).toHaveProperty('code', 'ENOTFOUND')
    expect(await ask([], () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' })))).toHaveProperty(
      'code',
      'EAI_AGAIN',
    )
  })

  test('a resolver that never answers is waited for no longer than the limit', async () => {
    expect(await ask([], () => new Promise(() => undefined))).toHaveProperty('code', 'UND_ERR_CONNECT_TIMEOUT')
  })

  test('connections to one origin are kept alive and are at most as many as it may have', async () => {
    const egress = createEgress({ allow: ['127.0.0.1'], connectionsPerOrigin: 32 })
    let open = 0
    let most = 0
    const count = (socket: import('node:net').Socket) => {
      open += 1
      most = Math.max(most, open)
      socket.on('close', () => {
        open -= 1
      })
    }
    server.on('connection', count)
    const ask = async () => (await request(`http://127.0.0.1:${port}/`, { dispatcher: egress.dispatcher })).body.dump()
    await Promise.all(Array.from({ length: 200 }, ask))
    await ask()
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(32)
    server.off('connection', count)
    await egress.close()
    await egress.close()
  })
})
