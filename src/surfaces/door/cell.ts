import type { IncomingMessage } from 'node:http'
import { type Dispatcher, Pool } from 'undici'
import type { ZodType, z } from 'zod'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { CELL_PATHS, clientAnswer, findAnswer, type Mark } from '../cells/contract.ts'
import type { CellAddress } from '../cells/settings.ts'
import { DOOR_HEADER, signCall } from '../cells/signature.ts'

/** Streams take a connection each. */
const CONNECTIONS = 4096
/** For the door's own questions, which streams must not keep waiting. */
const ASKING_CONNECTIONS = 32
const CONNECT_MS = 2 * SECOND_MS
/** For the answer to a question of the door. */
const ASK_MS = 2 * SECOND_MS
/** Until the head of an answer: longer than any operation takes. */
const ANSWER_MS = 2 * MINUTE_MS
/** Between two chunks of an answer: streams have a heartbeat every 15 seconds. */
const SILENCE_MS = MINUTE_MS

export interface Sent {
  method: string
  /** With the query. */
  target: string
  /** Names and values in turn. */
  headers: string[]
  body: Buffer | IncomingMessage | null
  signal: AbortSignal
}

export interface CellReply {
  status: number
  /** Names and values in turn. */
  headers: string[]
  body: Dispatcher.ResponseData['body']
}

/** The cell cannot be reached, has no connection left, or was lost before its answer began. */
export class CellLost extends Error {
  readonly cell: Cell

  constructor(cell: Cell, cause: unknown) {
    super(`the cell ${cell.name} did not answer`, { cause })
    this.name = 'CellLost'
    this.cell = cell
  }
}

export class Cell {
  readonly name: string
  readonly origin: string
  /** True until the first failure. */
  isUp = true
  /** Null before the first answer. */
  known: { version: string; publicUrl: string } | null = null
  private readonly secret: string
  private readonly clock: Clock
  private readonly passing: Pool
  private readonly asking: Pool
  private open = 0

  constructor({ name, origin }: CellAddress, { secret, clock }: { secret: string; clock: Clock }) {
    this.name = name
    this.origin = origin
    this.secret = secret
    this.clock = clock
    const shared = { pipelining: 1, connect: { timeout: CONNECT_MS } }
    this.passing = new Pool(origin, {
      ...shared,
      connections: CONNECTIONS,
      headersTimeout: ANSWER_MS,
      bodyTimeout: SILENCE_MS,
    })
    this.asking = new Pool(origin, {
      ...shared,
      connections: ASKING_CONNECTIONS,
      headersTimeout: ASK_MS,
      bodyTimeout: ASK_MS,
    })
  }

  /** Throws CellLost. */
  async send(sent: Sent): Promise<CellReply> {
    if (!this.isUp) throw new CellLost(this, null)
    if (this.open >= CONNECTIONS) throw new CellLost(this, 'every connection is in use')
    this.open += 1
    const end = () => {
      this.open -= 1
    }
    try {
      const reply = await this.attemptTwice(sent)
      reply.body.once('close', end)
      return reply
    } catch (error) {
      end()
      if (!isLost(error)) throw error
      if (isUnreachable(error)) this.isUp = false
      throw new CellLost(this, error)
    }
  }

  /** The cell may close a connection that was idle at the very moment of its next use. */
  private async attemptTwice(sent: Sent): Promise<CellReply> {
    return this.attempt(sent).catch((error: unknown) => {
      if (!isLost(error) || isUnreachable(error) || sent.signal.aborted || !isRepeatable(sent)) throw error
      return this.attempt(sent)
    })
  }

  private async attempt({ method, target, headers, body, signal }: Sent): Promise<CellReply> {
    const { statusCode, ...reply } = await this.passing.request({
      ...{ path: target, method: method as Dispatcher.HttpMethod, headers, body, signal },
      responseHeaders: 'raw',
    })
    return { status: statusCode, headers: reply.headers as unknown as string[], body: reply.body }
  }

  /** Which of the marks this cell has; null without an answer. */
  async find(marks: readonly Mark[]): Promise<boolean[] | null> {
    const answer = await this.ask(CELL_PATHS.find, { marks }, findAnswer)
    if (answer === null || answer.found.length !== marks.length) return null
    this.known = { version: answer.version, publicUrl: answer.publicUrl }
    return answer.found
  }

  async clientRecord(id: string): Promise<z.output<typeof clientAnswer>['client']> {
    return (await this.ask(CELL_PATHS.client, { id }, clientAnswer))?.client ?? null
  }

  /** Makes a client of another cell known here. */
  async introduce(record: NonNullable<z.output<typeof clientAnswer>['client']>): Promise<void> {
    await this.ask(CELL_PATHS.introduce, record, null)
  }

  /** Null when the cell is unreachable, too slow, refuses the signature, or is no cell. */
  private async ask<Shape extends ZodType>(
    path: string,
    content: object,
    shape: Shape | null,
  ): Promise<z.output<Shape> | null> {
    const body = JSON.stringify(content)
    const signature = signCall({ secret: this.secret, path, body, at: this.clock.now() })
    try {
      const reply = await this.asking.request({
        ...{ path, method: 'POST', body },
        headers: { 'content-type': 'application/json', [DOOR_HEADER]: signature },
      })
      if (reply.statusCode !== 200) {
        await reply.body.dump()
        this.isUp = false
        return null
      }
      const answer: unknown = await reply.body.json()
      const read = shape?.safeParse(answer)
      this.isUp = read?.success ?? true
      return read?.data ?? null
    } catch (error) {
      if (!isLost(error) && !(error instanceof SyntaxError)) throw error
      this.isUp = false
      return null
    }
  }

  /** Cuts what is open. Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.passing.destroy(), this.asking.destroy()])
  }
}

/** No connection: the cell is down. From the operating system, TLS and undici. */
const UNREACHABLE =
  /^E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN|TIMEDOUT|NOTFOUND|AI_AGAIN)$|^UND_ERR_CONNECT_|CERT|TLS|SSL/
/** A connection that broke or fell silent, which may concern one request only. */
const BROKEN =
  /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_(?:SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT|CLOSED|DESTROYED)|HPE_\w+)$/

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether an error is the way's, not a defect of ours. */
export function isLost(error: unknown): boolean {
  return isUnreachable(error) || BROKEN.test(codeOf(error))
}

function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.test(codeOf(error))
}

function isRepeatable({ method, body }: Sent): boolean {
  return (method === 'GET' || method === 'HEAD') && !(body !== null && !Buffer.isBuffer(body))
}
