import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { canParse } from '../../kernel/can-parse.ts'

export interface Loopback {
  redirectUri: string
  /** The address that the browser came back to. */
  callback: Promise<URL>
  close(): void
}

const PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Earshot</title>
<body style="font:16px/1.5 system-ui,sans-serif;margin:4rem auto;max-width:32rem;padding:0 1rem">
<h1>Back to the terminal</h1><p>The command line has the answer. This page can be closed.</p></body></html>
`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
}

/** Waits on this machine for the browser to come back with the state. */
export async function listenForCallback(state: string): Promise<Loopback> {
  let resolve: (address: URL) => void = () => undefined
  const callback = new Promise<URL>((done) => {
    resolve = done
  })
  const server = createServer((request, reply) => {
    const address = request.method === 'GET' ? callbackIn(request.url ?? '', state) : null
    reply.writeHead(address === null ? 404 : 200, HEADERS).end(address === null ? '' : PAGE)
    if (address !== null) resolve(address)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    callback,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Null for what any other page or program on this machine may ask for. */
function callbackIn(target: string, state: string): URL | null {
  if (!canParse(target, ORIGIN)) return null
  const address = new URL(target, ORIGIN)
  return address.pathname === '/callback' && address.searchParams.get('state') === state ? address : null
}

const ORIGIN = 'http://127.0.0.1'
