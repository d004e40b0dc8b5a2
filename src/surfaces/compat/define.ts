import { z } from 'zod'
import { Numbers } from '../../commands/compat/number-things.ts'
import type { ErrorCode } from '../../domain/refusal/error-codes.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { AlreadyThere } from '../../operations/already-there.ts'
import type {
  EndpointLimit,
  Method,
  Operation,
  ReadContext,
  Role,
  Services,
  WriteContext,
} from '../../operations/definition.ts'
import type { Streamed } from '../../operations/streamed.ts'
import type { NotFoundCode } from './envelope.ts'
import { COMPAT_ROOT } from './paths.ts'

export const COMPAT_TAGS = {
  Mentions: 'Posts that matched a keyword, a row for each keyword.',
  Keywords: 'Watched terms.',
  Feeds: 'Saved filters of mentions.',
  Filters: 'Rules that apply to every keyword.',
  Organization: 'The workspace, its company, team and usage.',
  Analytics: 'Figures of mentions by time of publication.',
  Feedback: 'Verdicts of the team on relevance.',
  Unavailable: 'Answered 501, because this interface does not have it.',
} as const

export type CompatTag = keyof typeof COMPAT_TAGS
/** The scopes of the other interface. No credential of ours has `admin`. */
export type CompatScope = 'read' | 'write' | 'admin'

interface Numbering {
  numbers: Numbers
}

type Contexts = { read: ReadContext & Numbering; write: WriteContext & Numbering }
/** Reads that are open have no workspace. */
export type CompatContext<A extends 'read' | 'write'> = Contexts[A]

type Shape = z.core.$ZodShape
type Parsed<Fields extends Shape> = z.output<z.ZodObject<Fields>>

interface Definition<
  A extends 'read' | 'write',
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Output extends z.ZodType,
> {
  id: string
  method: Method
  /** Below the root. */
  path: `/${string}`
  access: A
  /** Default: the access. */
  scope?: CompatScope
  roles?: readonly Role[]
  summary: string
  description: string
  tag: CompatTag
  params?: Params
  query?: Query
  body?: Body
  status?: 200 | 201
  /** The status when what was to be made was there before. */
  again?: 200
  output: Output
  /** What a missing thing is called. */
  notFound?: NotFoundCode
  /** Codes beyond those of every operation. */
  errors?: readonly ErrorCode[]
  /** The default media type of an answer that is sent in portions. */
  streams?: string
  exports?: true
  headers?: Readonly<Record<string, string>>
  limit?: EndpointLimit
  audits?: true
  /** Refused to everybody whose scope is enough, before the body is read. */
  refusal?: Refusal
  run(
    context: CompatContext<A>,
    input: { params: Parsed<Params>; query: Parsed<Query>; body: z.output<Body> },
  ): Promise<z.input<Output> | AlreadyThere<z.input<Output>> | Streamed | Refusal>
}

/** An operation of this interface, in the form of ours: it is admitted, checked and counted by the same code. */
export interface CompatOperation extends Operation {
  readonly scope: CompatScope
  readonly compatTag: CompatTag
  readonly notFound: NotFoundCode
  readonly refusal: Refusal | null
}

export function defineCompat<
  const A extends 'read' | 'write',
  Output extends z.ZodType,
  Params extends Shape = Record<never, never>,
  Query extends Shape = Record<never, never>,
  Body extends z.ZodType = z.ZodUndefined,
>(definition: Definition<A, Params, Query, Body, Output>): CompatOperation {
  return {
    id: `compat-${definition.id}`,
    method: definition.method,
    path: `${COMPAT_ROOT}${definition.path}`,
    access: definition.access,
    scope: definition.scope ?? definition.access,
    roles: definition.roles ?? [],
    peopleOnly: false,
    summary: definition.summary,
    description: definition.description,
    tag: 'Service',
    compatTag: definition.tag,
    params: z.strictObject(definition.params ?? {}),
    query: z.strictObject(definition.query ?? {}),
    hasBody: definition.body !== undefined,
    body: definition.body ?? z.strictObject({}).optional(),
    status: definition.status ?? 200,
    again: definition.again ?? null,
    output: definition.output,
    streams: definition.streams ?? null,
    exports: definition.exports ?? false,
    headers: definition.headers ?? {},
    errors: definition.errors ?? [],
    limit: definition.limit ?? null,
    audits: definition.audits ?? false,
    duringDeletion: false,
    tool: { hidden: 'Tools have operations of their own.' },
    notFound: definition.notFound ?? 'NOT_FOUND',
    refusal: definition.refusal ?? null,
    run: definition.run as Operation['run'],
  }
}

/** The operation with what its `run` needs beyond the context of ours. */
export function boundTo({ db }: Pick<Services, 'db'>, operation: CompatOperation): CompatOperation {
  const run = operation.run as (context: object, input: object) => Promise<unknown>
  return {
    ...operation,
    run: (context: CompatContext<'read'>, input) =>
      run({ ...context, numbers: new Numbers({ db, workspaceId: context.workspaceId }) }, input),
  } as CompatOperation
}
