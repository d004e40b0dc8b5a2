import { type Clock, SECOND_MS } from '../kernel/clock.ts'
import type { LanguageModel } from '../models/contract.ts'
import type { Settings } from './settings.ts'

/** `reasoningTokens` may be billed beyond the requested length of an answer. */
export type OpenLanguageModel = LanguageModel & { reasoningTokens: number; close(): Promise<void> }

/** Null without a language model. */
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
