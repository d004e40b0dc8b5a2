import { z } from 'zod'
import { type CollectContext, MONEY, SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus, readJson, saidIn } from '../reply-fault.ts'
import type { Window } from './candidates.ts'

export const SCRAPECREATORS_HOST = 'api.scrapecreators.com'
/**
 * The provider asks the platform itself while the request waits. Giving up earlier would pay for a reply that nobody
 * reads.
 */
const TIMEOUT_MS = 60_000
/** No documented request costs more; a greater figure is a mistake, and must not eat the day. */
const MOST_CREDITS = 100

/** How far back its searches of several platforms can be asked to reach. */
export const LAST_WINDOWS: [Window, ...Window[]] = [
  ['last-hour', 1],
  ['last-day', 24],
  ['last-week', 7 * 24],
  ['last-month', 30 * 24],
  ['last-year', 365 * 24],
]

/** What every reply says beside its content. */
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
  /**
   * A status by which the provider says that it has nothing, and not that something is wrong; it is answered as null.
   */
  nothingStatus?: 404 | 500
}

/** Asks once and counts what it cost. Null only for `nothingStatus`. */
export type AskScrapeCreators = <Shape extends z.ZodType>(
  context: CollectContext,
  question: ScrapeCreatorsQuestion<Shape>,
) => Promise<z.infer<Shape> | null>

/**
 * The API of ScrapeCreators. Every request takes the price of one credit before it is made; when the reply says that it
 * cost more or less, the difference is counted afterwards.
 */
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
  // A key that is not known has no credits either, and a good reply may have taken the last one.
  if (status === 402 || (refused && status !== 401 && (said?.credits_remaining === 0 || saysNoCredits(said)))) {
    return new SourceFault('credentials', `ScrapeCreators: no credits are left${words && `: ${words}`}`)
  }
  // No page of a platform is asked for by its address here: a 404 that is not the provider's word for "nothing" is a
  // path that is gone.
  if (status === 404)
    return new SourceFault('shape_changed', `ScrapeCreators no longer answers what it is asked${words && `: ${words}`}`)
  if (good && said?.success === false)
    return new SourceFault('unavailable', `ScrapeCreators failed${words && `: ${words}`}`)
  return faultOfStatus(status, headers, at)
}

/**
 * Credits that are mentioned otherwise, such as "no credits were charged" or "this costs 5 credits", say nothing about
 * the account.
 */
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
