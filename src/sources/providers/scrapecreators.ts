import { z } from 'zod'
import { type CollectContext, MONEY, SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus, readJson, saidIn } from '../reply-fault.ts'
import type { CandidateWindow } from './candidates.ts'

export const SCRAPECREATORS_HOST = 'api.scrapecreators.com'
/** An earlier timeout would pay for an unread reply. */
const TIMEOUT_MS = 60_000
/** A larger figure is an error and must not use up the budget. */
const MOST_CREDITS = 100

export const LAST_WINDOWS: [CandidateWindow, ...CandidateWindow[]] = [
  ['last-hour', 1],
  ['last-day', 24],
  ['last-week', 7 * 24],
  ['last-month', 30 * 24],
  ['last-year', 365 * 24],
]

const envelope = z.object({
  success: z.boolean().optional().catch(undefined),
  credits_charged: z.int().min(0).max(MOST_CREDITS).optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  credits_remaining: z.number().optional().catch(undefined),
})
type Envelope = z.infer<typeof envelope>

export interface ScrapeCreatorsQuestion<Shape extends z.ZodType> {
  /** Such as /v1/linkedin/search/posts. */
  path: string
  parameters: Readonly<Record<string, string>>
  shape: Shape
  /** A status that means "no results", returned as null. */
  nothingStatus?: 404 | 500
}

export type AskScrapeCreators = <Shape extends z.ZodType>(
  context: CollectContext,
  question: ScrapeCreatorsQuestion<Shape>,
) => Promise<z.infer<Shape> | null>

/** Charges one credit before each request and the difference after it. */
export function scrapeCreators({ key, creditMicroUsd }: { key: string; creditMicroUsd: number }): AskScrapeCreators {
  return async (context, { path, parameters, shape, nothingStatus }) => {
    const url = `https://${SCRAPECREATORS_HOST}${path}?${new URLSearchParams(parameters)}`
    const reply = await context.fetch(url, {
      headers: { 'x-api-key': key },
      cost: { [MONEY]: creditMicroUsd },
      timeoutMs: TIMEOUT_MS,
    })
    const said = saidIn(reply, envelope)
    if (said?.credits_charged !== undefined && said.credits_charged !== 1)
      context.spend({ [MONEY]: (said.credits_charged - 1) * creditMicroUsd })
    if (reply.status === nothingStatus && said?.success === false && !saysNoCredits(said)) return null
    const refusal = refusalOf(reply, said, context.at)
    if (refusal) throw refusal
    return readJson(reply, shape, context.at)
  }
}

function refusalOf({ status, headers }: SourceReply, said: Envelope | null, at: Date): SourceFault | null {
  const words = wordsOf(said)
  const good = status >= 200 && status < 300
  const refused = !good || said?.success === false
  // An unknown key has no credits either; a good reply may use the last one.
  if (status === 402 || (refused && status !== 401 && (said?.credits_remaining === 0 || saysNoCredits(said)))) {
    return new SourceFault('credentials', `ScrapeCreators: no credits are left${words && `: ${words}`}`)
  }
  // A 404 other than `nothingStatus` is a removed endpoint.
  if (status === 404)
    return new SourceFault('shape_changed', `ScrapeCreators no longer answers what it is asked${words && `: ${words}`}`)
  if (good && said?.success === false)
    return new SourceFault('unavailable', `ScrapeCreators failed${words && `: ${words}`}`)
  return faultOfStatus(status, headers, at)
}

/** Others, such as "this costs 5 credits", do not concern the account. */
const NO_CREDITS = [
  /\b(?:no|0|zero) (?:more )?credits? (?:are )?(?:left|remaining|available)\b/i,
  /(?:\bout of|\binsufficient|\bnot enough|n't have enough|n't have any|\bhave no|\bhave 0) (?:more )?credits?\b/i,
  /\bcredits? (?:balance )?(?:is |are |have been )?(?:exhausted|depleted|used up|insufficient)\b/i,
]

function saysNoCredits(said: Envelope | null): boolean {
  const words = wordsOf(said).replaceAll('’', "'")
  return NO_CREDITS.some((statement) => statement.test(words))
}

function wordsOf(said: Envelope | null): string {
  return (said?.message ?? said?.error ?? '').slice(0, 200)
}
