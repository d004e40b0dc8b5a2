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

/** Calls of a workspace per clock hour and process. */
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
let calls = { hour: -1, byWorkspace: new Map<Uuid, number>() }

/** Asks the language model for a better context. The answer for the same evidence is cached for a week. */
export async function adviseOnContext(
  { workspaceId, languageModel, clock, log }: QueryContext,
  keywordId: Uuid,
  ground: ContextGround,
): Promise<Advice> {
  if (languageModel === null || ground.noise.length === 0) return { status: 'off', suggestion: null }
  const key = uuidFromName('context', languageModel.name, workspaceId, keywordId, JSON.stringify(ground))
  const at = clock.now()
  const status = written.has(key, at) ? 'cached' : 'generated'
  try {
    const context = await written.get(key, at, () => {
      if (!mayCall(workspaceId, at)) return Promise.reject(new NoAdvice('rate_limited'))
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

function mayCall(workspaceId: Uuid, at: Date): boolean {
  const hour = Math.floor(at.getTime() / HOUR_MS)
  if (calls.hour !== hour) calls = { hour, byWorkspace: new Map() }
  const made = calls.byWorkspace.get(workspaceId) ?? 0
  if (made >= CALLS_PER_HOUR) return false
  calls.byWorkspace.set(workspaceId, made + 1)
  return true
}
