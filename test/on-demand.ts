import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A value of the whole run, served to the processes of tests and made when a test first asks. */
export interface OnDemand<Value> {
  readonly address: string
  /** Resolves with the value; with undefined when no test asked, or when making the value failed. */
  close(): Promise<Value | undefined>
}

export async function serveOnDemand<Value>(make: () => Promise<Value>): Promise<OnDemand<Value>> {
  let made: Promise<Value> | undefined
  const server = createServer((_, reply) => {
    // A connection that is kept could be closed just as the next test asks over it.
    reply.shouldKeepAlive = false
    made ??= make()
    made.then(
      (value) => reply.end(JSON.stringify(value)),
      (error: Error) => reply.writeHead(500).end(error.stack),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close()
      return made?.catch(() => undefined)
    },
  }
}

/** The value behind an address of `serveOnDemand`. Functions of the value do not travel. */
export async function askForValue<Value>(address: string): Promise<Value> {
  const reply = await fetch(address)
  if (!reply.ok) throw new Error(`a value of the run could not be made: ${await reply.text()}`)
  return (await reply.json()) as Value
}
