import type { Log } from '../../kernel/log.ts'
import { type Cell, CellLost, type CellReply, isLost, type Sent } from './cell.ts'

/** Answers to providers are short. */
const KEPT_BYTES = 64 * 1024

export interface Outcome {
  cell: Cell
  reply: { status: number; headers: string[]; body: Buffer }
}

/**
 * Sends a message to every cell; each takes what is its own, and repeats do no harm. The first answer that accepts the
 * message, else the first. Null when the message must come again, because a cell was lost or failed.
 */
export async function sendToEveryone(cells: readonly Cell[], sent: Sent, log: Log): Promise<Outcome | null> {
  const outcomes = await Promise.all(cells.map(async (cell) => outcomeOf(cell, sent)))
  const heard = outcomes.flatMap((outcome) => outcome ?? [])
  if (heard.length < cells.length || heard.some(({ reply }) => reply.status >= 500 && !isNotSetUp(reply.body)))
    return null
  const accepted = heard.find(({ reply }) => reply.status < 300)
  for (const { cell, reply } of accepted === undefined ? [] : heard.filter((outcome) => outcome.reply.status >= 300))
    log.warn(
      { event: 'door.message_refused', cell: cell.name, status: reply.status, target: sent.target },
      'A cell refused a message of a provider that another cell accepted; their settings differ',
    )
  return accepted ?? heard[0] ?? null
}

/** A cell without the provider has nothing to take. */
function isNotSetUp(body: Buffer): boolean {
  return /"code":"\w+_not_configured"/.test(body.toString('latin1'))
}

async function outcomeOf(cell: Cell, sent: Sent): Promise<Outcome | null> {
  try {
    const { status, headers, body } = await cell.send(sent)
    return { cell, reply: { status, headers, body: await readShort(body) } }
  } catch (error) {
    if (error instanceof CellLost || isLost(error)) return null
    throw error
  }
}

async function readShort(body: CellReply['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= KEPT_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
