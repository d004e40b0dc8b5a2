import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A workspace of the other vendor, in the shapes that its interface documents. */
export interface OctolensWorkspace {
  keywords: Record<string, unknown>[]
  feeds: Record<string, unknown>[]
  filters: Record<string, string[]>
  company: Record<string, unknown>
}

export interface OctolensStandIn {
  address: string
  key: string
  /** Paths that were asked for, in order. */
  asked: string[]
  /** Answers this many requests with 429 first. */
  busyFor: number
  close(): Promise<void>
}

const KEY = 'ak_stand_in'

/** Serves a workspace, two things a page. Nothing can be changed. */
export async function startOctolens(workspace: OctolensWorkspace): Promise<OctolensStandIn> {
  const server = createServer((request, response) => answer(standIn, workspace, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const standIn: OctolensStandIn = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    key: KEY,
    asked: [],
    busyFor: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return standIn
}

function answer(
  standIn: OctolensStandIn,
  workspace: OctolensWorkspace,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', standIn.address)
  const path = url.pathname.replace('/api/v2', '')
  standIn.asked.push(`${request.method} ${path}`)
  const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
    response.end(JSON.stringify(body))
  }
  const refuse = (status: number, code: string, headers?: Record<string, string>): void =>
    send(status, { error: { code, message: `Refused: ${code}.`, status } }, headers)
  if (request.headers.authorization !== `Bearer ${KEY}`) return void refuse(401, 'UNAUTHORIZED')
  if (standIn.busyFor > 0) {
    standIn.busyFor -= 1
    return void refuse(429, 'RATE_LIMITED', { 'retry-after': '1' })
  }
  if (request.method !== 'GET') return void refuse(403, 'FORBIDDEN')
  if (path === '/filters/global') return void send(200, workspace.filters)
  if (path === '/org/company') return void send(200, workspace.company)
  const list = { '/keywords': workspace.keywords, '/feeds': workspace.feeds }[path]
  if (list === undefined) return void refuse(404, 'NOT_FOUND')
  const from = Number(url.searchParams.get('cursor') ?? 0)
  const nextCursor = from + 2 < list.length ? String(from + 2) : null
  return void send(200, { data: list.slice(from, from + 2), pagination: { nextCursor } })
}
