import { type CollectContext, type Cost, MONEY, type SourceReply } from '../contract.ts'
import { faultOf } from './fault.ts'

export const HOST = 'api.x.com'

/** Asks the API on behalf of the operator. */
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

/**
 * The reply when it is a good one. A refusal costs nothing: what was paid in advance, in millionths of a dollar, is
 * given back.
 */
export function understood(context: CollectContext, reply: SourceReply, paid: number): SourceReply {
  const fault = faultOf(reply, context.at)
  if (!fault) return reply
  context.spend({ [MONEY]: -paid })
  throw fault
}
