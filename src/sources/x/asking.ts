import { type CollectContext, type Cost, MONEY, type SourceReply } from '../contract.ts'
import { faultOf } from './fault.ts'

export const HOST = 'api.x.com'

export type Ask = (
  context: CollectContext,
  path: string,
  parameters: URLSearchParams,
  cost: Cost,
) => Promise<SourceReply>

export function asking(bearerToken: string): Ask {
  const headers = { authorization: `Bearer ${bearerToken}` }
  return (context, path, parameters, cost) => context.fetch(`https://${HOST}${path}?${parameters}`, { headers, cost })
}

/** Refunds a refusal's prepaid price, in millionths of a dollar, and throws. */
export function understood(context: CollectContext, reply: SourceReply, paid: number): SourceReply {
  const fault = faultOf(reply, context.at)
  if (!fault) return reply
  context.spend({ [MONEY]: -paid })
  throw fault
}
