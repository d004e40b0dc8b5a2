import { type Clock, SECOND_MS } from '../kernel/clock.ts'
import type { LanguageModel } from '../models/contract.ts'
import type { Settings } from './settings.ts'

/**
 * A language model with connections to close, and the tokens that an answer may cost beyond the longest that was asked
 * for.
 */
export type OpenLanguageModel = LanguageModel & { reasoningTokens: number; close(): Promise<void> }

/** The way to the language model; null on an installation without one. */
export async function languageModelOf(
  { languageModel }: Pick<Settings, 'languageModel'>,
  clock: Clock,
): Promise<OpenLanguageModel | null> {
  if (languageModel === null) return null
  const { provider, url, key, model, timeoutSeconds } = languageModel
  const options = { url, key, model, timeoutMs: timeoutSeconds * SECOND_MS, clock }
  if (provider === 'openai') return (await import('../models/openai/openai.ts')).createOpenAiModel(options)
  return (await import('../models/anthropic/anthropic.ts')).createAnthropicModel(options)
}
