import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { cookieName, cookieText, SESSION_COOKIE_SECONDS } from '../auth/browser.ts'
import type { Cell, CellReply } from './cell.ts'
import { answeredHeaders } from './head.ts'

/** Passes a cell's answer on as it comes. An answer that breaks off is broken off here too. */
export function passReply(
  response: ServerResponse,
  reply: CellReply,
  { isHead, remember }: { isHead: boolean; remember: string | null },
): void {
  const headers = answeredHeaders(reply.headers)
  if (remember !== null) headers.push('Set-Cookie', remember)
  response.writeHead(reply.status, headers)
  if (isHead) {
    reply.body.resume()
    response.end()
    return
  }
  const length = lengthIn(headers)
  // The beginning of a stream is shown before its first event.
  if (length === null) response.flushHeaders()
  if (length !== null && length <= SHORT_BYTES) passShort(response, reply.body)
  else
    pipeline(reply.body, response, (error) => {
      if (error) response.destroy()
    })
}

/** Shorter answers are read whole, which takes a third of the time of a pipeline. */
const SHORT_BYTES = 64 * 1024

function passShort(response: ServerResponse, body: CellReply['body']): void {
  const chunks: Buffer[] = []
  body.on('data', (chunk: Buffer) => chunks.push(chunk))
  body.once('error', () => response.destroy())
  body.once('end', () => response.end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
}

function lengthIn(headers: readonly string[]): number | null {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-length')
  return at === -1 ? null : Number(headers[at + 1])
}

/**
 * The cookie that brings a signed-out browser back to the cell in which it signed in, or where its sign-in through a
 * provider goes on; null when the answer begins neither.
 */
export function cellCookie(cell: Cell, headers: readonly string[], publicUrl: string): string | null {
  const begins = (['session', 'provider'] as const).map((use) => `${cookieName(use, publicUrl)}=`)
  const isBegun = headers.some(
    (text, at) =>
      at % 2 === 1 &&
      headers[at - 1]!.toLowerCase() === 'set-cookie' &&
      begins.some((begin) => text.startsWith(begin) && !text.startsWith(`${begin};`)),
  )
  return isBegun ? rememberCell(cell, publicUrl) : null
}

export function rememberCell({ name }: Cell, publicUrl: string): string {
  return cookieText({ publicUrl, use: 'cell', value: name, seconds: SESSION_COOKIE_SECONDS })
}

/** The headers of an answer whose body was read whole. */
export function withoutLength(headers: readonly string[]): string[] {
  const passed = answeredHeaders(headers)
  return passed.filter((_, at) => passed[at - (at % 2)]!.toLowerCase() !== 'content-length')
}
