import type { CallCost, ModelReply, Reservation } from '../ports.ts'

/** Price of a million tokens in whole millionths of a dollar, up to 1000 dollars. */
export interface Prices {
  input: number
  output: number
}

/** Above every provider's limit: a larger count is a mistake. */
const TOKENS_MAX = 3_000_000

/** Without possible counts the cost is the reserved amount: a late or useless answer may still be charged. */
export function chargeOf({ microUsd }: Reservation, reply: ModelReply, prices: Prices): CallCost {
  if (reply.usage === undefined) return { microUsd: 0, inputTokens: 0, outputTokens: 0 }
  const [input, output] = [tokensOf(reply.usage.input), tokensOf(reply.usage.output)]
  const known = { inputTokens: input ?? 0, outputTokens: output ?? 0 }
  return { ...known, microUsd: input === null || output === null ? microUsd : costOf(input, output, prices) }
}

function tokensOf(count: number | null): number | null {
  return count !== null && Number.isInteger(count) && count >= 0 && count <= TOKENS_MAX ? count : null
}

/** Returns millionths of a dollar, rounded up. */
export function costOf(inputTokens: number, outputTokens: number, prices: Prices): number {
  return Math.ceil((inputTokens * prices.input + outputTokens * prices.output) / 1_000_000)
}
