import {
  type ContextGround,
  contextFrom,
  contextQuestion,
  contextSuggestion,
} from '../../../domain/keyword/suggestions/context.ts'
import type { Suggestion } from '../../../domain/keyword/suggestions/suggestion.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/clock.ts'
import { type Uuid, uuidFromName } from '../../../kernel/ids.ts'
import { isModelFault, type LanguageModel } from '../../../models/contract.ts'
import type { QueryContext } from '../../reading.ts'
import { createReportCache } from './report-cache.ts'

export const AI_STATUSES = ['off', 'generated', 'cached', 'unavailable', 'rate_limited'] as const
export type AiStatus = (typeof AI_STATUSES)[number]

export interface Advice {
  status: AiStatus
  /** Null when the model suggests nothing. */
  suggestion: Suggestion | null
}

/** Calls of a workspace in any hour. */
export const CALLS_PER_HOUR = 20

/** Thrown for a failure, which is not cached, so that the next request tries again. */
class NoAdvice extends Error {
  readonly status: 'unavailable' | 'rate_limited'

  constructor(status: 'unavailable' | 'rate_limited') {
    super(`no advice: ${status}`)
    this.status = status
  }
}

/** Cached contexts by keyword and evidence; null when the model had none. */
const written = createReportCache<string | null>({ most: 1000, goodForMs: 7 * DAY_MS })

/** Also counts the calls of the model, over all processes. */
export interface Advising extends QueryContext {
  exact: { take(key: string, limit: number, windowMs: number): Promise<{ granted: boolean }> }
}

/** Asks the language model for a better context. The answer for the same evidence is cached for a week. */
export async function adviseOnContext(
  { workspaceId, languageModel, clock, log, exact }: Advising,
  keywordId: Uuid,
  ground: ContextGround,
): Promise<Advice> {
  if (languageModel === null || ground.noise.length === 0) return { status: 'off', suggestion: null }
  const key = uuidFromName('context', languageModel.name, workspaceId, keywordId, JSON.stringify(ground))
  const at = clock.now()
  const status = written.has(key, at) ? 'cached' : 'generated'
  try {
    const context = await written.get(key, at, async () => {
      const { granted } = await exact.take(`${workspaceId} model calls`, CALLS_PER_HOUR, HOUR_MS)
      if (!granted) throw new NoAdvice('rate_limited')
      return write(languageModel, ground, log)
    })
    return { status, suggestion: context === null ? null : contextSuggestion(context, ground) }
  } catch (error) {
    if (error instanceof NoAdvice) return { status: error.status, suggestion: null }
    throw error
  }
}

/** Not aborted when the caller leaves: the answer is cached for the next one. */
async function write(model: LanguageModel, ground: ContextGround, log: QueryContext['log']): Promise<string | null> {
  const answer = await model.complete(contextQuestion(ground), new AbortController().signal)
  if (isModelFault(answer)) {
    log.warn(
      { event: 'model.context_failed', model: model.name, fault: answer.fault, reason: answer.message },
      'The language model did not answer',
    )
    throw new NoAdvice(answer.fault === 'rate_limited' ? 'rate_limited' : 'unavailable')
  }
  const context = contextFrom(answer.value, ground)
  if (context === 'unusable') {
    log.warn(
      { event: 'model.context_unusable', model: model.name },
      'The language model wrote a context that cannot be used',
    )
    throw new NoAdvice('unavailable')
  }
  return context
}
