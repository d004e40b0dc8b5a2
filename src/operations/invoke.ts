import { noteExport } from '../commands/audit/note-export.ts'
import { type Allowance, countsFor, type RateLimits } from '../commands/limits/contract.ts'
import { LiveChanges } from '../commands/live/live-changes.ts'
import { isRefusal, type Refusal, refuse, refuseFields } from '../domain/refusal/refusal.ts'
import { workspaceMoved, workspaceMoving } from '../domain/workspace/moving.ts'
import { PermitNotWanted, PermitRefused } from '../kernel/concurrency/fair-semaphore.ts'
import type { Uuid } from '../kernel/ids.ts'
import { networkOf } from '../kernel/ip-range.ts'
import type { Log } from '../kernel/log.ts'
import { actAs } from '../kernel/origin.ts'
import { WorkspaceElsewhere, WorkspaceFrozen } from '../queries/elsewhere.ts'
import { AnswerNotWanted, DatabaseUnavailable, isNotReady, StatementTooLong } from '../queries/unavailable.ts'
import { AlreadyThere } from './already-there.ts'
import { type AnswerCheck, checkAnswer } from './check-answer.ts'
import type { Caller, Operation, Services } from './definition.ts'
import { agentOf, identify, type Presented } from './identify.ts'
import { OpenExports } from './open-exports.ts'
import { check } from './problems.ts'
import { Shares } from './shares.ts'

/** Requests that the keys and tokens of a workspace may make in a minute, through all doors and processes together. */
export const WORKSPACE_PER_MINUTE = 600

/** Requests that a person may make in a minute by sessions, in all workspaces together. */
export const PERSON_PER_MINUTE = 300

/** Wrong addresses that are their own credential, asked for in a minute from one network. */
export const WRONG_LINKS_PER_MINUTE = 120

/** The services and limits that REST and tools share. */
export interface OperationHost extends AnswerCheck {
  services: Services
  limits: RateLimits
  /** The OpenAPI document of this installation. */
  describe(): Promise<Record<string, unknown>>
  /** Tells operations what is scored while they answer. */
  live: LiveChanges
  /** What each workspace may ask of the database at once. */
  shares: Shares
  exports: OpenExports
}

/** Opens the way to the operations. Whoever opened it ends `live` before the last answers. */
export function createOperationHost(parts: Omit<OperationHost, 'live' | 'shares' | 'exports'>): OperationHost {
  return {
    ...parts,
    live: new LiveChanges(parts.services),
    shares: new Shares(parts.services),
    exports: new OpenExports(),
  }
}

/** A request in the form all doors share. `body` is undefined when there was none. */
export interface OperationRequest {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  /** True when only the head of the answer is wanted. */
  headOnly?: boolean
  /** The address that the caller comes from; unknown when absent. */
  from?: string
  /** Aborted when the caller has gone away; never when absent. */
  signal?: AbortSignal
  /** What the caller showed of itself, for answers that take so long that it is asked again. */
  presented?: Presented | null
  /** True when a language model reads the answer. */
  forModel?: boolean
  /** The last event of a stream that the caller says it has seen. */
  lastEventId?: string | null
}

/** Whether a caller may go on, known before anything of the request beyond its head is read. */
export interface RequestAdmission {
  /** Null for an operation without credential, and when the credential was refused. */
  caller: Caller | null
  /** What is left to the workspace, or to the person of a session; null where there is no caller. */
  allowance: Allowance | null
  refusal: Refusal | null
}

/** Runs an operation for a credential: admission, execution and checks in one call. */
export async function invoke(
  host: OperationHost,
  operation: Operation,
  presented: Presented | null,
  request: OperationRequest,
): Promise<RequestAdmission & { answer: unknown }> {
  const admission = await admit(host, operation, presented)
  return { ...admission, answer: admission.refusal ?? (await perform(host, operation, admission.caller, request)) }
}

/** Credential, scope and limit of the workspace or the person, in this order. */
export async function admit(
  host: OperationHost,
  operation: Operation,
  presented: Presented | null,
): Promise<RequestAdmission> {
  if (!needsCredential(operation)) return { caller: null, allowance: null, refusal: null }
  const caller = await identify(host.services, presented)
  if (isRefusal(caller)) return { caller: null, allowance: null, refusal: caller }
  const allowance = takeRequest(host.limits, caller)
  return { caller, allowance, refusal: objection(operation, caller, allowance) }
}

/** A busy dashboard takes nothing from the programs of the workspace, nor from other people. */
function takeRequest(limits: RateLimits, caller: Caller): Allowance {
  return caller.kind === 'session'
    ? limits.take(`sessions of ${caller.user.id}`, PERSON_PER_MINUTE)
    : limits.take(caller.workspaceId, WORKSPACE_PER_MINUTE)
}

/**
 * Checks the request, counts it, runs the operation and checks its answer; resolves to the answer, which may be
 * `AlreadyThere` or `Streamed`, or a refusal.
 */
export async function perform(
  host: OperationHost,
  operation: Operation,
  caller: Caller | null,
  request: OperationRequest,
): Promise<unknown> {
  const params = check(operation.params, request.params, 'parameter')
  if ('problems' in params) return refuse('not_found', NOT_FOUND)
  const query = check(operation.query, request.query, 'parameter')
  const body = check(operation.body, request.body, 'field')
  if ('problems' in query)
    return refuseFields('problems' in body ? [...query.problems, ...body.problems] : query.problems)
  if ('problems' in body) return refuseFields(body.problems)
  return counted(host, operation, caller, request, async () => {
    const run = operation.run as (context: object, input: object) => Promise<unknown>
    if (caller !== null) actAs(agentOf(caller))
    const asked = async () => {
      const answer = await run(contextFor(host, operation, caller, request), {
        params: params.value,
        query: query.value,
        body: body.value,
      })
      if (operation.audits && caller !== null && !isRefusal(answer) && request.headOnly !== true)
        await noteExport({ ...host.services, workspaceId: caller.workspaceId }, operation.id)
      return answer
    }
    const opens = operation.exports && caller !== null && request.headOnly !== true
    const answer = opens ? await host.exports.open(caller.workspaceId, request.signal, asked) : await asked()
    if (!isRefusal(answer)) checkAnswer(host, operation, answer instanceof AlreadyThere ? answer.answer : answer)
    return answer
  })
}

/**
 * Whether the doors have to ask for a credential: anybody may use what is open, and an address can be a credential
 * itself.
 */
export function needsCredential({ access }: Pick<Operation, 'access'>): boolean {
  return access === 'read' || access === 'write'
}

/**
 * Keeps to the limit of the operation, which counts by workspace, or by the address that is the credential. What the
 * caller did wrong is not counted, but for wrong addresses, which count by the network that they come from. Neither is
 * the head of a streamed answer counted, because nothing of the stream is made for it.
 */
async function counted(
  host: OperationHost,
  { limit, streams, access }: Operation,
  caller: Caller | null,
  request: OperationRequest,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const whose = caller?.workspaceId ?? (access === 'link' ? Object.values(request.params).join(' ') : null)
  if (limit === null || whose === null || (request.headOnly === true && streams !== null)) return run()
  const guessing = `wrong address from ${networkOf(request.from ?? '')}`
  const guess = access === 'link' ? host.limits.take(guessing, WRONG_LINKS_PER_MINUTE) : null
  if (guess?.granted === false) return tooMany('Too many wrong addresses. Wait a minute, then try again.', guess)
  const key = `${whose} ${limit.name}`
  const counts = countsFor(host.limits, limit.perMinute)
  const own = await counts.take(key, limit.perMinute)
  if (!own.granted) return tooMany(`This operation allows ${own.limit} requests a minute.`, own)
  const answer = await run()
  const wasWrong = isRefusal(answer) && answer.status < 500
  if (wasWrong) await counts.giveBack(key, own)
  else if (guess !== null) host.limits.giveBack(guessing, guess)
  return answer
}

/** Whether something failed only because its caller has gone away. */
export function isNotWanted(error: unknown): boolean {
  return error instanceof AnswerNotWanted || error instanceof PermitNotWanted
}

/** When a caller whose reads are too many, or too dear, may come again. */
const CROWDED_SECONDS = 2
const DEAR_SECONDS = 30

/** What a caller is told of an error that is no answer of the operation; the log gets the rest. */
export function failureOf(
  error: unknown,
  log: Log,
  about: Record<string, unknown>,
): Refusal<
  | 'rate_limited'
  | 'query_timeout'
  | 'database_unavailable'
  | 'database_not_ready'
  | 'workspace_moving'
  | 'workspace_moved'
  | 'internal_error'
> {
  if (error instanceof WorkspaceFrozen) return workspaceMoving()
  if (error instanceof WorkspaceElsewhere) return workspaceMoved(error.address)
  if (error instanceof PermitRefused)
    return refuse(
      'rate_limited',
      'Too many requests of this workspace are waiting. Wait for their responses before you send more.',
      {
        retryAfterSeconds: CROWDED_SECONDS,
      },
    )
  if (error instanceof StatementTooLong) {
    log.warn({ event: 'request.timed_out', ...about, err: error }, 'Reading for a request took too long')
    return refuse(
      'query_timeout',
      'The query took too long. Shorten the period or use fewer conditions, or try again later.',
      {
        retryAfterSeconds: DEAR_SECONDS,
      },
    )
  }
  if (isNotWanted(error)) {
    log.debug({ event: 'request.cancelled', ...about, err: error }, 'The caller of a request is gone')
    return refuse('internal_error', 'The request was cancelled.')
  }
  if (error instanceof DatabaseUnavailable) {
    log.warn(
      { event: 'request.database_unavailable', ...about, err: error },
      'The database was unavailable to a request',
    )
    return refuse('database_unavailable', 'The database cannot be reached. Try again.')
  }
  if (isNotReady(error)) {
    log.error(
      { event: 'database.not_ready', ...about, err: error },
      'The database is read only, full, or of another version',
    )
    return refuse('database_not_ready', 'The database of this installation needs its operator. Retrying does not help.')
  }
  log.error({ event: 'request.failed', ...about, err: error }, 'A request failed')
  return refuse('internal_error', 'The service failed. Report the request id to the operator.')
}

export const NOT_FOUND = 'This workspace has no such resource.'

function objection(operation: Operation, caller: Caller, allowance: Allowance): Refusal | null {
  if (operation.access === 'write' && caller.scope === 'read')
    return refuse('read_only_key', 'This credential is read-only. Use one with write scope.')
  if (caller.kind === 'api_key' && operation.peopleOnly)
    return refuse('forbidden', 'An API key may not do this. Sign in as a person.')
  if (!hasRole(operation, caller)) return refuse('forbidden', `This operation is for ${whoMay(operation)}.`)
  if (operation.access === 'write' && caller.deletesAt !== null && !operation.duringDeletion)
    return refuse(
      'conflict',
      `The workspace is scheduled for deletion on ${caller.deletesAt.toISOString()}. An owner can restore it.`,
    )
  if (allowance.granted) return null
  const who = caller.kind === 'session' ? 'You have used your' : 'The workspace has used its'
  return tooMany(`${who} ${allowance.limit} requests of the last 60 seconds.`, allowance)
}

function hasRole({ roles }: Pick<Operation, 'roles'>, caller: Caller): boolean {
  return caller.kind === 'api_key' || roles.length === 0 || roles.includes(caller.role)
}

/** A key acts as the workspace, whoever made it, and may do what of people only some roles may. */
function whoMay({ roles, peopleOnly, access }: Operation): string {
  const people = `the ${roles.map((role) => `${role}s`).join(' and ')} of the workspace`
  if (peopleOnly) return people
  return `${people}, and for API keys ${access === 'write' ? 'with write scope' : 'of any scope'}`
}

function tooMany(message: string, { retryAfterSeconds }: Allowance): Refusal<'rate_limited'> {
  return refuse('rate_limited', message, { retryAfterSeconds })
}

/** The types of the contexts, not their values, keep a read operation from changing anything. */
function contextFor(
  { services, describe, live, shares, limits: { exact } }: OperationHost,
  { access, exports, streams, roles }: Operation,
  caller: Caller | null,
  request: OperationRequest,
): object {
  const { signal = new AbortController().signal, presented = null, lastEventId = null, forModel = false } = request
  if (access === 'link')
    return { ...services, signal, readerOf: (workspaceId: Uuid) => shares.readerFor(workspaceId, signal) }
  if (caller === null) return { clock: services.clock, describe }
  const stillAllowed = async () => {
    if (presented === null) return true
    const again = await identify(services, presented)
    // A session may by now be for another workspace, in which its person may do more than in this one.
    return !isRefusal(again) && again.workspaceId === caller.workspaceId && hasRole({ roles }, again)
  }
  const { workspaceId } = caller
  const snapshot = shares.snapshotFor(workspaceId, signal)
  const forRead = () =>
    exports
      ? shares.exporterFor(workspaceId, signal)
      : shares.readerFor(workspaceId, signal, { patient: streams !== null })
  const db = access === 'read' ? forRead() : shares.databaseFor(workspaceId)
  return { ...services, db, workspaceId, caller, signal, stillAllowed, snapshot, lastEventId, forModel, live, exact }
}
