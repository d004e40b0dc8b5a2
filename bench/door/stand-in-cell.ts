import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CELL_PATHS } from '../../src/surfaces/cells/contract.ts'

const ANSWER = JSON.stringify({ workspace: { id: `org_${'0'.repeat(26)}`, name: 'Acme' }, filler: 'x'.repeat(300) })

// A process of its own, that has every key and does next to nothing else.
const server = createServer((request, response) => {
  request.resume()
  const answer =
    request.url === CELL_PATHS.find
      ? JSON.stringify({ version: '1', publicUrl: 'http://localhost:4400', found: [true] })
      : ANSWER
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) })
  response.end(answer)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
