import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDocumentAddress } from '../../domain/oauth/document-address.ts'
import { refuse } from '../../domain/refusal/refusal.ts'
import { type Clock, MINUTE_MS } from '../../kernel/clock.ts'
import { timedCache } from '../../kernel/concurrency/bounded-cache.ts'
import type { Log } from '../../kernel/log.ts'
import { cookieName, cookieOf } from '../auth/browser.ts'
import type { Mark } from '../cells/contract.ts'
import { readBytes, SIGNED_LIMIT } from '../http/body.ts'
import { RefusedRequest } from '../http/envelope.ts'
import type { Cell, CellReply, Sent } from './cell.ts'
import { Directory, type Finding } from './directory.ts'
import { sendToEveryone } from './everyone.ts'
import { type Head, passedHeaders } from './head.ts'
import type { DoorMetrics } from './metrics.ts'
import { cellCookie, passReply, rememberCell, withoutLength } from './pass.ts'
import { type Plan, planFor, type ToHolder } from './route.ts'

/** Bodies up to this size are kept, so that a request can be sent again. Larger ones pass as they come. */
const KEPT_BODY_BYTES = 64 * 1024
const CLIENTS_MAX = 10_000
/** Characters of an id that a registered client may have. */
const CLIENT_MAX = 100
const EMAIL_MAX = 320
/** Misdirected Request: the workspace has moved to another cell. */
const MOVED = 421

const PERHAPS_DOWN = refuse(
  'cell_unavailable',
  'A part of this installation cannot be reached, and what you asked for may be there. Try again in a moment.',
)
const SEND_AGAIN = refuse(
  'cell_unavailable',
  'A part of this installation cannot be reached. Send the message again later.',
)
const NOBODY: Finding = { cells: [], isSure: true, isRemembered: false }

export interface DoorParts {
  cells: readonly Cell[]
  /** Gets new accounts and newly registered apps. */
  newCell: Cell
  publicUrl: string
  clock: Clock
  log: Log
  metrics: DoorMetrics
}

/** A request on its way. */
interface Visit {
  request: IncomingMessage
  response: ServerResponse
  head: Head
  sent: Sent
  /** The cell that the browser used last; null without one. */
  browserCell: Cell | null
  /** Set-Cookie of the door. */
  remember: string | null
}

/** Finds the cell of each request and passes requests and answers on. Throws RefusedRequest and CellLost. */
export class Door {
  private readonly parts: DoorParts
  private readonly directory: Directory
  /** Clients that a cell is known to have. */
  private readonly introduced = timedCache<true>({ most: CLIENTS_MAX, forMs: MINUTE_MS })

  constructor(parts: DoorParts) {
    this.parts = parts
    this.directory = new Directory(parts.cells, parts)
  }

  async receive(request: IncomingMessage, response: ServerResponse, head: Head, requestId: string): Promise<void> {
    const left = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) left.abort()
    })
    const visit: Visit = {
      ...{ request, response, head, browserCell: this.browserCellOf(head), remember: null },
      sent: {
        method: head.method,
        target: head.target,
        headers: passedHeaders(request, { caller: head.caller, requestId }),
        body: null,
        signal: left.signal,
      },
    }
    const plan = await this.bodyRead(planFor(head, this.parts.publicUrl), visit)
    if (plan.to === 'everyone') return this.toEveryone(visit)
    if (plan.to === 'person') return this.toPerson(visit, plan)
    return plan.to === 'any' ? this.answerFrom(this.anyCell(visit), visit) : this.toHolder(visit, plan)
  }

  /** By name in the address of the sign-in page, else by the cookie. */
  private browserCellOf({ method, path, query, headers }: Head): Cell | null {
    const asked = method === 'GET' && path === '/sign-in' ? query.get('cell') : null
    const name = asked ?? cookieOf(headers, cookieName('cell', this.parts.publicUrl))
    return this.parts.cells.find((cell) => cell.name === name) ?? null
  }

  /** Reads the body where the plan needs it, or where it is short enough to be sent again. */
  private async bodyRead(plan: Plan, visit: Visit): Promise<Exclude<Plan, { to: 'body' }>> {
    const { request, sent } = visit
    const { clock } = this.parts
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    const declared = Number(length ?? 0)
    const isChunked = coding !== undefined
    if (plan.to === 'body') {
      const whole = await readBytes(request, { declared, limit: plan.limit, clock })
      sent.body = whole
      return this.bodyRead(plan.plan(whole.toString('utf8')), visit)
    }
    if (sent.body !== null || (declared === 0 && !isChunked)) return plan
    const isKept = plan.to === 'everyone' || (!isChunked && declared <= KEPT_BODY_BYTES)
    if (isKept) sent.body = await readBytes(request, { declared, limit: SIGNED_LIMIT, clock })
    else {
      sent.body = request
      if (length !== undefined) sent.headers.push('Content-Length', length)
    }
    return plan
  }

  /** The browser's cell or the first that is up; all answer the same. */
  private anyCell({ browserCell }: Visit): Cell {
    const { cells } = this.parts
    return browserCell?.isUp ? browserCell : (cells.find(({ isUp }) => isUp) ?? cells[0]!)
  }

  private async toHolder(visit: Visit, plan: ToHolder): Promise<void> {
    const place = await this.placeOf(visit, plan)
    const cell = place?.cell ?? (plan.otherwise === 'new' ? this.newCellFor(visit) : this.anyCell(visit))
    if (plan.client) await this.introduce(plan.client, cell)
    const reply = await cell.send(visit.sent)
    const moved = place === null ? null : await this.cellAfter(reply, place, visit)
    if (moved === null) return this.answer(visit, cell, reply)
    await reply.body.dump()
    return this.answerFrom(moved, visit)
  }

  /** Sign-ups and sign-ins through a provider go on where they began. */
  private newCellFor({ browserCell }: Visit): Cell {
    return browserCell ?? this.parts.newCell
  }

  /** Null when nobody has it. */
  private async placeOf(
    { browserCell }: Visit,
    { marks, isNeeded }: ToHolder,
  ): Promise<{ cell: Cell; mark: Mark; isRemembered: boolean } | null> {
    for (const mark of marks) {
      const { cells, isSure, isRemembered } = await this.directory.find(mark)
      const [cell] = cells
      if (cell !== undefined) {
        const beside = cell.isUp ? null : await this.directory.findBeside(mark, cell)
        return { cell: beside ?? cell, mark, isRemembered }
      }
      // An unknown session of this browser's cell has ended.
      const isEnded = mark.text.startsWith('ses ') && browserCell?.isUp === true
      if (!isSure && isNeeded && !isEnded) throw new RefusedRequest(PERHAPS_DOWN)
    }
    return null
  }

  /** Where the workspace or credential is now, when the cell says that it is not there; null to keep the answer. */
  private async cellAfter(
    { status }: CellReply,
    { cell, mark, isRemembered }: { cell: Cell; mark: Mark; isRemembered: boolean },
    { sent }: Visit,
  ): Promise<Cell | null> {
    const hasMoved = status === MOVED
    if (!hasMoved && !(status === 401 && isRemembered)) return null
    const now = await this.directory.findAgain(mark, hasMoved ? cell : null)
    const isSendable = sent.body === null || Buffer.isBuffer(sent.body)
    return isSendable && now.cells[0] !== cell ? (now.cells[0] ?? null) : null
  }

  /** Cells with an account: the browser's first. With `tries`, the next when the password is wrong. */
  private async toPerson(visit: Visit, { email, tries, otherwise }: Plan & { to: 'person' }): Promise<void> {
    const mark = { kind: 'person', text: email } as const
    const { cells, isSure } = email === '' || email.length > EMAIL_MAX ? NOBODY : await this.directory.find(mark)
    if (cells.length === 0 && !isSure) throw new RefusedRequest(PERHAPS_DOWN)
    if (cells.length === 0)
      return this.answerFrom(otherwise === 'new' ? this.parts.newCell : this.anyCell(visit), visit)
    const isLast = (cell: Cell) => cell === visit.browserCell
    const candidates = [...cells].sort((one, other) => Number(isLast(other)) - Number(isLast(one)))
    const up = candidates.filter(({ isUp }) => isUp)
    const tried = tries && up.length > 0 ? up : [up[0] ?? candidates[0]!]
    for (const [at, cell] of tried.entries()) {
      const reply = await cell.send(visit.sent)
      if (reply.status !== 401 || at === tried.length - 1) return this.answer(visit, cell, reply)
      await reply.body.dump()
    }
  }

  private async toEveryone(visit: Visit): Promise<void> {
    const { cells, log } = this.parts
    const outcome = await sendToEveryone(cells, visit.sent, log)
    if (outcome === null) throw new RefusedRequest(SEND_AGAIN)
    const { cell, reply } = outcome
    this.metrics(cell, reply.status)
    visit.response.writeHead(reply.status, withoutLength(reply.headers))
    visit.response.end(reply.body)
  }

  /** A client registers in one cell, and people of every cell may use it. */
  private async introduce(client: string, cell: Cell): Promise<void> {
    const key = `${cell.name} ${client}`
    if (isDocumentAddress(client) || client.length > CLIENT_MAX || this.introduced.get(key, this.parts.clock.now()))
      return
    const mark = { kind: 'client', text: client } as const
    const [has] = (await cell.find([mark])) ?? []
    if (has === false) {
      const [home] = (await this.directory.find(mark)).cells
      const record = home === undefined ? null : await home.clientRecord(client)
      if (record === null) return
      await cell.introduce(record)
    }
    if (has !== undefined) this.introduced.set(key, true, this.parts.clock.now())
  }

  private async answerFrom(cell: Cell, visit: Visit): Promise<void> {
    this.answer(visit, cell, await cell.send(visit.sent))
  }

  private answer({ response, head, browserCell }: Visit, cell: Cell, reply: CellReply): void {
    const { publicUrl } = this.parts
    this.metrics(cell, reply.status)
    const isChosen = head.path === '/sign-in' && head.query.has('cell') && browserCell !== null
    const isInvited = head.path.startsWith('/invitations/') && reply.status === 200
    const remember = isChosen || isInvited ? rememberCell(isChosen ? browserCell : cell, publicUrl) : null
    passReply(response, reply, {
      isHead: head.method === 'HEAD',
      remember: remember ?? cellCookie(cell, reply.headers, publicUrl),
    })
  }

  private metrics(cell: Cell, status: number): void {
    this.parts.metrics.doorRequests.inc({ cell: cell.name, status })
  }
}
