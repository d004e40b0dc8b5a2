import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSecondVerdict, type SecondVerdictOptions } from '../../src/classify/language-model/second-verdict.ts'
import { cacheName, type ModelBudget, type QueriedModel, type VerdictCache } from '../../src/classify/ports.ts'
import type { ModelAccess } from '../../src/classify/registry.ts'
import type { Verdict } from '../../src/domain/mention/classification.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createAnthropicModel } from '../../src/models/anthropic/anthropic.ts'
import { createOpenAiModel } from '../../src/models/openai/openai.ts'
import { createMetrics } from '../metrics.ts'

/** A mention as the stand-in was shown it, without the marks around its texts. */
export interface ShownMention {
  id: string
  platform: string
  title: string | null
  post: string
}

/** What the stand-in understood of a question. */
export interface Understood {
  instructions: string
  /** Everything that the user's message says, as it was sent. */
  content: string
  mentions: ShownMention[]
}

export type Answered = Record<string, unknown>

/** What one request is answered with: verdicts, or whatever a test does to the response itself. */
export type Behaviour = (
  asked: Understood,
  count: number,
  response: ServerResponse,
) => Answered[] | null | Promise<Answered[] | null>

export interface StandInModel {
  /** Up to and with the version. */
  readonly url: string
  /** Every question that was asked, in order. */
  readonly asked: Understood[]
  /** How requests are answered from now on; obediently when nothing is said. */
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

/** Tokens that the stand-in says it has read and written, for every answer. */
export const STAND_IN_USAGE = { input: 1000, output: 200 }

/**
 * A server that speaks as OpenAI and as Anthropic do. Behind it sits the most gullible of models: it does whatever is
 * said outside of the marks that its instructions name, whoever says it, and judges what stands between them by a few
 * words.
 */
export async function startStandInModel(): Promise<StandInModel> {
  const asked: Understood[] = []
  let behave: Behaviour = obedient
  const server = createServer(async (request, response) => {
    const understood = await understand(request)
    asked.push(understood)
    const verdicts = await behave(understood, asked.length, response)
    if (verdicts !== null) reply(request, response, { verdicts })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    behave: (behaviour) => {
      behave = behaviour
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** What a model answers that obeys everything outside of the marks. */
export function obedient({ instructions, content, mentions }: Understood): Answered[] {
  const orders = outsideOf(fenceOf(instructions), content)
  const relevance = Number(/relevance\W{0,8}(?:is|of|to|must be)?\W{0,4}(\d{1,3})/i.exec(orders)?.[1] ?? Number.NaN)
  const sentiment = /sentiment\W{0,8}(?:is|to|must be)?\W{0,4}(positive|negative|neutral)/i
    .exec(orders)?.[1]
    ?.toLowerCase()
  return mentions.map((mention) => {
    const verdict = judged(mention)
    return {
      ...verdict,
      relevance: Number.isNaN(relevance) ? verdict.relevance : Math.min(100, relevance),
      sentiment: sentiment ?? verdict.sentiment,
    }
  })
}

function judged({ id, title, post }: ShownMention) {
  const text = `${title ?? ''} ${post}`.toLowerCase()
  return {
    id,
    relevance: text.includes('fruit') ? 12 : 83,
    sentiment: /love|great|fantastic/.test(text)
      ? 'positive'
      : /terrible|broken|hate/.test(text)
        ? 'negative'
        : 'neutral',
    intents: text.includes('?') ? ['question'] : [],
    automated: false,
    language: 'en',
    confidence: 0.9,
    note: 'Speaks of the product.',
  }
}

/** The mark that the instructions name; null when they name none, and nothing is then apart from orders. */
function fenceOf(instructions: string): string | null {
  return /<<(\w+) and \1>>/.exec(instructions)?.[1] ?? null
}

/** What a reader sees who passes over everything between the marks. */
function outsideOf(fence: string | null, content: string): string {
  return fence === null ? content : content.replaceAll(new RegExp(`<<${fence} [^]*? ${fence}>>`, 'g'), '')
}

async function understand(request: IncomingMessage): Promise<Understood> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = JSON.parse(Buffer.concat(pieces).toString())
  const instructions: string = body.system ?? body.messages[0].content
  const content: string = body.messages.at(-1).content
  const fence = fenceOf(instructions)
  const bare = (text: string | null) =>
    text === null || fence === null ? text : text.replace(`<<${fence} `, '').replace(` ${fence}>>`, '')
  const { mentions } = JSON.parse(content) as { mentions: ShownMention[] }
  return {
    instructions,
    content,
    mentions: mentions.map((mention) => ({ ...mention, title: bare(mention.title), post: bare(mention.post) ?? '' })),
  }
}

/** Answers in the form of whichever provider was asked. */
function reply(request: IncomingMessage, response: ServerResponse, value: unknown): void {
  const { input, output } = STAND_IN_USAGE
  const body = request.url!.endsWith('/messages')
    ? {
        content: [{ type: 'tool_use', name: 'answer', input: value }],
        usage: { input_tokens: input, output_tokens: output },
      }
    : {
        choices: [{ message: { content: JSON.stringify(value) } }],
        usage: { prompt_tokens: input, completion_tokens: output },
      }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A way to the stand-in as one of the providers. */
export function modelAt(
  url: string,
  { provider = 'openai', timeoutMs = 2000 }: { provider?: 'openai' | 'anthropic'; timeoutMs?: number } = {},
): QueriedModel {
  const options = { url, key: 'secret-key', model: 'small', timeoutMs, clock: systemClock }
  return provider === 'openai' ? createOpenAiModel(options) : createAnthropicModel(options)
}

/** A budget in memory that everybody shares, and a record of what became of it. */
export interface BudgetInMemory extends ModelBudget {
  left: number
  readonly settled: number[]
}

export function budgetInMemory(microUsd = Number.MAX_SAFE_INTEGER): BudgetInMemory {
  const settled: number[] = []
  return {
    left: microUsd,
    settled,
    async reserve(workspaceId, amount) {
      if (amount > this.left) return null
      this.left -= amount
      return { workspaceId, id: newUuid(systemClock.now()), day: '2026-11-20', microUsd: amount }
    },
    async settle(reservation, cost) {
      this.left += reservation.microUsd - cost.microUsd
      settled.push(cost.microUsd)
    },
  }
}

export function cacheInMemory(): VerdictCache & { readonly kept: Map<string, Verdict> } {
  const kept = new Map<string, Verdict>()
  return {
    kept,
    find: async (wanted) =>
      new Map(
        wanted.flatMap(({ workspaceId, key }) =>
          [...(kept.has(cacheName(workspaceId, key)) ? [cacheName(workspaceId, key)] : [])].map((name) => [
            name,
            kept.get(name)!,
          ]),
        ),
      ),
    async keep(workspaceId, verdicts) {
      for (const { key, verdict } of verdicts) kept.set(cacheName(workspaceId, key), verdict)
    },
  }
}

/** Nothing kept, so that every question is asked. */
export const NO_CACHE: VerdictCache = { find: async () => new Map(), keep: async () => undefined }

/** All that asking a stand-in takes; a token read costs one millionth of a dollar, one written four. */
export function askingAt(model: QueriedModel, changes: Partial<ModelAccess> = {}): ModelAccess {
  return {
    model,
    prices: { input: 1_000_000, output: 4_000_000 },
    budget: budgetInMemory(),
    cache: NO_CACHE,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
    callsAtOnce: 4,
    sureFrom: 0.6,
    ...changes,
  }
}

export function secondLookAt(model: QueriedModel, changes: Partial<SecondVerdictOptions> = {}) {
  return createSecondVerdict(askingAt(model, changes))
}
