import { type CollectContext, MONEY, SourceFault, type SourceReply } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { faultOfStatus, readJson, saidIn } from '../reply-fault.ts'
import { pageFrom, type Route } from './route.ts'
import { fromSubmission } from './to-post.ts'
import { providerRefusal, providerReply, submission } from './wire.ts'

const HOST = 'api.scrapecreators.com'
const MOST_PAGES = 5

export interface ProviderOptions {
  key: string
  /** In millionths of a dollar. */
  creditMicroUsd: number
  /** In millionths of a dollar. */
  dailyMicroUsd: number
}

export function providerRoute({ key, creditMicroUsd, dailyMicroUsd }: ProviderOptions): Route {
  return {
    hosts: [HOST],
    limits: [{ quota: MONEY, kind: 'daily', most: dailyMicroUsd, timeZone: 'UTC' }],
    mostPages: MOST_PAGES,
    async page(context, { query, span, after }) {
      const url = new URL(`https://${HOST}/v1/reddit/search`)
      for (const [name, value] of Object.entries({ query, sort: 'new', timeframe: span, ...(after && { after }) }))
        url.searchParams.set(name, value)
      const reply = await context.fetch(url.href, { headers: { 'x-api-key': key }, cost: { [MONEY]: creditMicroUsd } })
      refuse(reply, context)
      const found = readJson(reply, providerReply, context.at)
      const credits = found.credits_charged ?? 1
      if (credits !== 1) context.spend({ [MONEY]: (credits - 1) * creditMicroUsd })
      const submissions = readItems(found.posts, submission, context, 'reddit')
      return pageFrom(
        submissions.map((submission) => fromSubmission(submission, context.at, { maybeEscaped: true })),
        submissions.map((submission) => submission.created_utc * 1000),
        found.after,
      )
    },
  }
}

/** The provider's words count where only they tell. */
function refuse(reply: SourceReply, { at }: CollectContext): void {
  if (reply.status === 402)
    throw new SourceFault(
      'credentials',
      'ScrapeCreators has no credits left for this key; buy credits or set another key',
    )
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (fault) throw fault
  const refusal = saidIn(reply, providerRefusal)
  if (refusal === null) return
  const { message, error, credits_remaining: credits } = refusal
  const words = (message ?? error ?? 'without a reason').slice(0, 200)
  if (credits != null && credits <= 0)
    throw new SourceFault('credentials', `ScrapeCreators has no credits left for this key: ${words}`)
  throw new SourceFault('unavailable', `ScrapeCreators could not search: ${words}`)
}
