import type { FastifyReply } from 'fastify'

/** `body` is JSON or null. */
export interface Reply {
  status: number
  body: string | null
}

/** Of JSON-RPC: the message is not JSON. */
export const PARSE_ERROR = -32_700

/** An error of the protocol. */
export function rejection(status: number, code: number, message: string, id: string | number | null = null): Reply {
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }) }
}

export function send(reply: FastifyReply, { status, body }: Reply): FastifyReply {
  reply.code(status)
  return body === null ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}
