import type { CallCost, ModelReply, Reservation } from '../ports.ts'

/** Price of a million tokens read or written, in millionths of a dollar; whole numbers up to a thousand dollars. */
export interface Prices {
  input: number
  output: number
}

/** No provider reads or writes more tokens for one question; a greater count is a mistake of the provider. */
const TOKENS_MAX = 3_000_000

/**
 * The cost of a call. Where the provider's counts are missing or wrong it is the reserved amount, because an answer
 * that came too late or was useless may still be charged.
 */
export function chargeOf({ microUsd }: Reservation, reply: ModelReply, prices: Prices): CallCost {
  if (reply.usage === undefined) return { microUsd: 0, inputTokens: 0, outputTokens: 0 }
  const [input, output] = [tokensOf(reply.usage.input), tokensOf(reply.usage.output)]
  const known = { inputTokens: input ?? 0, outputTokens: output ?? 0 }
  return { ...known, microUsd: input === null || output === null ? microUsd : costOf(input, output, prices) }
}

/** The count, or null when it is not a possible number of tokens. */
function tokensOf(count: number | null): number | null {
  return count !== null && Number.isInteger(count) && count >= 0 && count <= TOKENS_MAX ? count : null
}

/** The cost in millionths of a dollar, rounded up. */
export function costOf(inputTokens: number, outputTokens: number, prices: Prices): number {
  return Math.ceil((inputTokens * prices.input + outputTokens * prices.output) / 1_000_000)
}
