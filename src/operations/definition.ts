import { z } from 'zod'
import type { ExactLimits } from '../commands/limits/contract.ts'
import type { LiveChanges } from '../commands/live/live-changes.ts'
import type { Services, WritingContext } from '../commands/writing.ts'
import type { Role } from '../domain/member/member.ts'
import { ERROR_CODES, type ErrorCode } from '../domain/refusal/error-codes.ts'
import type { Refusal } from '../domain/refusal/refusal.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { QueryContext } from '../queries/reading.ts'
import type { AlreadyThere } from './already-there.ts'
import { refuseContradictions } from './bounds.ts'
import type { Streamed } from './streamed.ts'
import type { Tag } from './tags.ts'

export type { Role, Services }

/** Who may ask: anybody, whoever holds the address (with a secret in it), or a credential that may read or write. */
export type Access = 'open' | 'link' | 'read' | 'write'
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Who is asking: an API key acts as its workspace, a token or a session as a person within their role. */
export type Caller = KeyCaller | PersonCaller

interface CallerOfWorkspace {
  workspaceId: Uuid
  workspaceName: string
  scope: 'read' | 'write'
  /** Null for a key that does not expire. */
  expiresAt: Date | null
  /** The time of the workspace's scheduled deletion. */
  deletesAt: Date | null
}

export interface KeyCaller extends CallerOfWorkspace {
  kind: 'api_key'
  apiKeyId: Uuid
}

export interface PersonCaller extends CallerOfWorkspace {
  kind: 'oauth' | 'session'
  user: { id: Uuid; email: string; name: string }
  /** The leave that an app acts by; null for the person themselves. */
  grantId: Uuid | null
  /** As it is now, not as it was when the person signed in or allowed a client something. */
  role: Role
}

/** What an operation without a credential is handed. */
export interface Opening {
  clock: Clock
  /** The OpenAPI document of this installation. */
  describe(): Promise<Record<string, unknown>>
}

/** The caller waits for the answer, as long as they do. */
interface Waiting {
  /** Aborted when the caller has gone away; what is still being done for the answer may end. */
  signal: AbortSignal
}

/** Who is asking. */
interface Asking extends Waiting {
  caller: Caller
  /** Whether the credential still allows what is being done, for answers that take hours. */
  stillAllowed(): Promise<boolean>
  /** Reads one state of the database for an answer that is an export. */
  snapshot<Result>(work: (db: QueryContext['db']) => Promise<Result>): Promise<Result>
  /** Whether a language model reads the answer. */
  forModel: boolean
  /** The last event that the caller has seen of a stream, as the caller says it; null when it says nothing. */
  lastEventId: string | null
  /** What is scored from now on. */
  live: LiveChanges
  /** For what an operation counts itself. */
  exact: ExactLimits
}

/**
 * What an operation is handed whose address is its credential: `run` finds out whose the address is, and reads the rest
 * for that workspace.
 */
export type LinkContext = Omit<QueryContext, 'workspaceId'> &
  Waiting & { readerOf(workspaceId: Uuid): QueryContext['db'] }
export type ReadContext = QueryContext & Asking
export type WriteContext = WritingContext & Asking

export interface ContextOf {
  open: Opening
  link: LinkContext
  read: ReadContext
  write: WriteContext
}

/** What only people may do is asked by a person. */
type ContextFor<A extends Access, PeopleOnly> = PeopleOnly extends true
  ? ContextOf[A] & { caller: PersonCaller }
  : ContextOf[A]

/** A limit of its own for an operation, counted per workspace. Operations with the same name share one count. */
export interface EndpointLimit {
  name: string
  perMinute: number
}

/** How the tool server shows an operation, or why it does not. */
export type ToolFacet = ShownTool | { hidden: string }

interface ShownTool {
  name: string
  title: string
  /** True for what takes away or replaces something that was there. */
  destructive: boolean
  /** True where doing it again changes nothing more. */
  idempotent: boolean
  /**
   * True for what turns to somebody outside while it is answered, such as platforms that are searched and receivers
   * that get a test, and for what decides where data of the workspace goes from then on. What is sent later because of
   * other decisions is not meant. It says nothing of `destructive`: making a channel takes nothing away.
   */
  openWorld?: true
}

type Shape = z.core.$ZodShape
type Parsed<Fields extends Shape> = z.output<z.ZodObject<Fields>>

/** Codes that `run` may answer without declaring them, because every operation of its form can give them. */
type ImpliedForRun<A extends Access, Params extends Shape, PeopleOnly> =
  | 'validation_error'
  | (A extends 'open' ? never : 'rate_limited')
  | (keyof Params extends never ? never : 'not_found')
  // Of bodies and of what a request would send on, of a credential that ends meanwhile, and of what is there already.
  | (A extends 'write' ? 'payload_too_large' | 'unauthorized' | 'conflict' : never)
  | (PeopleOnly extends true ? 'forbidden' : never)

type AnswerOf<Output extends z.ZodType, Media, Again> =
  | (Media extends string ? Streamed : z.input<Output>)
  | (Again extends number ? AlreadyThere<z.input<Output>> : never)

export interface Definition<
  A extends Access,
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Output extends z.ZodType,
  Code extends ErrorCode,
  Media extends string | undefined,
  PeopleOnly extends boolean | undefined,
  Again extends 200 | undefined,
> {
  /** Verb and noun in kebab case, the name of the file too: create-group. */
  id: string
  method: Method
  /** With the names of path parameters in braces: /v1/groups/{id}. */
  path: `/v1/${string}`
  access: A
  /** Of people who sign in, only those with one of these roles may do this. An API key acts as the workspace. */
  roles?: readonly Role[]
  /** True for what only people may do: an API key is refused, and `run` may refuse people by their role. */
  peopleOnly?: PeopleOnly
  summary: string
  description: string
  tag: Tag
  params?: Params
  query?: Query
  /** An object schema that refuses unknown fields, or a union of such. */
  body?: Body
  status: 200 | 201 | 202 | 204
  /** The status when what was to be made was there before; `run` then answers with `alreadyThere`. */
  again?: Again
  /** The answer as it is sent; absent for 204. */
  output?: Output
  /** The media type of an answer that is sent in portions; `run` then answers with `streamed`. */
  streams?: Media
  /**
   * True for a streamed answer that is made of many statements and has an end: few are open at the same time, and they
   * have longer to read.
   */
  exports?: true
  /** Response headers of a streamed answer beyond those of every answer, with their meaning. */
  headers?: Readonly<Record<string, string>>
  /** Codes beyond those that follow from access, method and parameters; see `codesOf`. */
  errors: readonly Code[]
  limit?: EndpointLimit
  /** True for a write that is allowed while the deletion of the workspace is scheduled. */
  duringDeletion?: true
  /** True for a read that the security log tells of, as an export. Writes tell of themselves. */
  audits?: true
  tool: ToolFacet
  run(
    context: ContextFor<A, NoInfer<PeopleOnly>>,
    input: { params: Parsed<Params>; query: Parsed<Query>; body: z.output<Body> },
  ): Promise<
    | AnswerOf<Output, Media, NoInfer<Again>>
    | Refusal<NoInfer<Code> | ImpliedForRun<A, NoInfer<Params>, NoInfer<PeopleOnly>>>
  >
}

/** An operation as the doors see it. */
export interface Operation {
  readonly id: string
  readonly method: Method
  readonly path: `/v1/${string}` | `/compat/api/v2/${string}`
  readonly access: Access
  /** Roles of people who may; empty for all. */
  readonly roles: readonly Role[]
  readonly peopleOnly: boolean
  readonly summary: string
  readonly description: string
  readonly tag: Tag
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly hasBody: boolean
  readonly body: z.ZodType
  readonly status: number
  /** The status of an answer with something that was there before; null where there is no such answer. */
  readonly again: number | null
  readonly output: z.ZodType | null
  readonly streams: string | null
  readonly exports: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly errors: readonly ErrorCode[]
  readonly limit: EndpointLimit | null
  readonly audits: boolean
  readonly duringDeletion: boolean
  readonly tool: ToolFacet
  readonly run: (context: never, input: never) => Promise<unknown>
}

const NO_BODY = z.strictObject({}).optional()

/**
 * The one definition of something a caller can do, from which the REST route, the OpenAPI entry and the tool are
 * derived. Parameters are given as fields: that unknown ones are refused is not left to each operation.
 */
export function defineOperation<
  const A extends Access,
  Output extends z.ZodType = z.ZodUndefined,
  Params extends Shape = Record<never, never>,
  Query extends Shape = Record<never, never>,
  Body extends z.ZodType = z.ZodUndefined,
  const Code extends ErrorCode = never,
  const Media extends string | undefined = undefined,
  const PeopleOnly extends boolean | undefined = undefined,
  const Again extends 200 | undefined = undefined,
>(definition: Definition<A, Params, Query, Body, Output, Code, Media, PeopleOnly, Again>): Operation {
  return {
    id: definition.id,
    method: definition.method,
    path: definition.path,
    access: definition.access,
    roles: definition.roles ?? [],
    peopleOnly: definition.peopleOnly ?? false,
    summary: definition.summary,
    description: definition.description,
    tag: definition.tag,
    params: z.strictObject(definition.params ?? {}),
    query: z.strictObject(definition.query ?? {}).superRefine(refuseContradictions),
    hasBody: definition.body !== undefined,
    body: definition.body ?? NO_BODY,
    status: definition.status,
    again: definition.again ?? null,
    output: definition.output ?? null,
    streams: definition.streams ?? null,
    exports: definition.exports ?? false,
    headers: definition.headers ?? {},
    errors: definition.errors,
    limit: definition.limit ?? null,
    audits: definition.audits ?? false,
    duringDeletion: definition.duringDeletion ?? false,
    tool: definition.tool,
    run: definition.run,
  }
}

const OF_EVERY_READ = [
  'rate_limited',
  'query_timeout',
  'database_unavailable',
  'cell_unavailable',
  'database_not_ready',
] as const

/** Every code that an operation can be answered with, in the order of the table of codes. */
export function codesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(['validation_error', 'internal_error', ...operation.errors])
  if (operation.access !== 'open') for (const code of OF_EVERY_READ) codes.add(code)
  if (operation.access === 'read' || operation.access === 'write')
    for (const code of ['unauthorized', 'workspace_moved'] as const) codes.add(code)
  // For a workspace that is being deleted or moved.
  if (operation.access === 'write')
    for (const code of ['read_only_key', 'conflict', 'workspace_moving'] as const) codes.add(code)
  if (operation.roles.length > 0 || operation.peopleOnly) codes.add('forbidden')
  if (operation.method !== 'GET')
    for (const code of ['unsupported_media_type', 'payload_too_large', 'request_timeout'] as const) codes.add(code)
  if (Object.keys(operation.params.shape).length > 0) codes.add('not_found')
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => codes.has(code))
}
