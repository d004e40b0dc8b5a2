import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts'
import { readCookie, setCookie } from './browser.ts'

/** Recognises the browser for `countGuess`. Grants no access. */
export function knowBrowser(request: FastifyRequest, reply: FastifyReply, emailFolded: string): void {
  const known: Known = { account: emailFolded, browser: randomUUID() }
  setCookie(
    request,
    reply,
    'known',
    request.server.services.sealer.seal(JSON.stringify(known), BOUND_TO),
    KNOWN_SECONDS,
  )
}

/** Null when nobody has signed in to this account here. */
export function knownBrowser(request: FastifyRequest, emailFolded: string): string | null {
  const value = readCookie(request, 'known')
  const plain = value === null ? null : request.server.services.sealer.open(value, BOUND_TO)
  if (plain === null) return null
  const { account, browser } = JSON.parse(plain) as Known
  return account === emailFolded ? browser : null
}

interface Known {
  account: string
  browser: string
}

const BOUND_TO = 'browser in which somebody has signed in'
/** The browsers' maximum. */
const KNOWN_SECONDS = (400 * DAY_MS) / SECOND_MS
