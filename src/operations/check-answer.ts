import type { Log } from '../kernel/log.ts'
import type { Operation } from './definition.ts'
import { Streamed } from './streamed.ts'

export interface AnswerCheck {
  /** An answer that does not fit its schema is our defect: logged in service, an error in tests. */
  misfit: 'log' | 'throw'
  log: Log
}

/** Headers that say something to what stands between, and nothing to callers. */
const FOR_PROXIES: ReadonlySet<string> = new Set(['Connection', 'X-Accel-Buffering'])

export function checkAnswer({ misfit, log }: AnswerCheck, operation: Operation, answer: unknown): void {
  if (answer instanceof Streamed && operation.streams !== null) {
    const undeclared = Object.keys(answer.headers).filter(
      (name) => !(name in operation.headers) && !FOR_PROXIES.has(name),
    )
    if (undeclared.length > 0 && misfit === 'throw')
      throw new Error(`the answer of ${operation.id} has headers that are not declared: ${undeclared.join(', ')}`)
    return
  }
  const checked = misfit === 'log' ? boundedPart(answer) : answer
  const undeclared = checked === undefined ? null : 'an answer where none is declared'
  const problem = operation.output === null ? undeclared : misfitOf(operation, checked)
  if (problem === null) return
  if (misfit === 'throw') throw new Error(`the answer of ${operation.id} does not fit its schema: ${problem}`)
  log.error(
    { event: 'request.answer_invalid', operation: operation.id, problem },
    'An answer does not match its schema',
  )
}

/** Items of a list that are checked where a misfit can only be logged. */
const CHECKED_ITEMS = 5

/**
 * All of an answer but the later items of a long list. They are made by the code that made the first ones and their
 * check changes nothing for the caller any more, while of hundreds of items it took as long as finding them. Tests
 * check all.
 */
function boundedPart(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return answer
  const { data } = answer
  return Array.isArray(data) && data.length > CHECKED_ITEMS ? { ...answer, data: data.slice(0, CHECKED_ITEMS) } : answer
}

function misfitOf(operation: Operation, answer: unknown): string | null {
  const fit = operation.output!.safeParse(answer)
  if (fit.success) return null
  const { path, message } = fit.error.issues[0]!
  return `${path.map(String).join('.')}: ${message}`
}
