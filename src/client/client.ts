import { addressOf } from './address.ts'
import { type CallOptions, type ClientOptions, Connection } from './connection.ts'
import { EarshotError, type Failure, isEarshotError, jsonIn } from './errors.ts'
import { changesIn, mentionsIn, type WorkspaceChange } from './events.ts'
import { OPERATIONS } from './operations.ts'
import { pagesOf } from './pages.ts'
import { followEvents, type StreamOptions } from './stream.ts'
import type { AnswerOf, FailureOf, InputOf, ItemOf, OperationName, Outcome, PagedName, Schema } from './types.ts'

/** A sent request: await it for the answer, or await `outcome()`, which returns failures instead of throwing them. */
export interface Call<Name extends OperationName> extends Promise<AnswerOf<Name>> {
  outcome(): Promise<Outcome<AnswerOf<Name>, FailureOf<Name>>>
}

/**
 * A list. Await it for one page, or loop over it with `for await` for all elements, page after page. Nothing is sent
 * before. A loop asks for 100 elements at a time unless the input has a `limit`.
 */
export interface Paged<Name extends OperationName> extends PromiseLike<AnswerOf<Name>>, AsyncIterable<ItemOf<Name>> {
  outcome(): Promise<Outcome<AnswerOf<Name>, FailureOf<Name>>>
  /** Page after page, for what pages have besides elements. */
  pages(): AsyncGenerator<AnswerOf<Name>>
}

type Arguments<Input, Options> =
  Record<never, never> extends Input ? [input?: Input, options?: Options] : [input: Input, options?: Options]

type Method<Name extends OperationName> = Name extends PagedName
  ? (...given: Arguments<InputOf<Name>, CallOptions>) => Paged<Name>
  : Name extends keyof Streams
    ? (...given: Arguments<InputOf<Name>, StreamOptions>) => Streams[Name]
    : (...given: Arguments<InputOf<Name>, CallOptions>) => Call<Name>

/** Streams continue by themselves after a broken connection, and end when their signal is aborted. */
interface Streams {
  streamMentions: AsyncGenerator<Schema<'Mention'>>
  streamEvents: AsyncGenerator<WorkspaceChange>
}

/** A method for each operation, named by its `operationId`. */
export type Operations = { readonly [Name in OperationName]: Method<Name> }

export interface RawRequest {
  /** GET by default. */
  method?: string
  /** From the root of the installation, such as `/v1/mentions?limit=5`. */
  path: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface Client extends Operations {
  /** Sends any request with the credential, retries and errors of the client. Throws unless the status is 2xx. */
  request(request: RawRequest, options?: CallOptions): Promise<Response>
}

type Input = Readonly<Record<string, unknown>>

/** One operation as the table has it. */
interface Route {
  method: string
  template: string
  flags: ReadonlySet<string>
  query: readonly string[]
}

/** A client of one installation. */
export function createClient(options: ClientOptions): Client {
  const connection = new Connection(options)
  const methods = Object.entries(OPERATIONS).map(([name, entry]) => [name, methodOf(connection, name, routeOf(entry))])
  return {
    ...Object.fromEntries(methods),
    request: ({ method = 'GET', ...request }: RawRequest, call: CallOptions = {}) =>
      connection.exchange(
        { ...request, method, mayRepeat: /^(GET|HEAD|OPTIONS|PUT|DELETE)$/i.test(method), isOpenEnded: true },
        call,
        (response) => Promise.resolve(response),
      ),
  } as Client
}

function routeOf(entry: string): Route {
  const [method, template, ...flags] = entry.split(' ')
  const query = flags.find((flag) => flag.startsWith('query:'))?.slice('query:'.length)
  return { method: method!, template: template!, flags: new Set(flags), query: query?.split(',') ?? [] }
}

function methodOf(connection: Connection, name: string, route: Route): (input?: Input, call?: CallOptions) => unknown {
  const send = (input: Input, call: CallOptions) => sendCall(connection, route, input, call)
  if (route.flags.has('events'))
    return (input = {}, call: StreamOptions = {}) => {
      const { path } = addressOf(route.template, input, () => true)
      const events = followEvents(connection, { method: route.method, path }, call)
      return name === 'streamMentions' ? mentionsIn(events) : changesIn(events)
    }
  const by = (['cursor', 'offset'] as const).find((way) => route.flags.has(way))
  if (by !== undefined) return (input = {}, call = {}) => pagedOf(by, input, (page) => send(page, call))
  return (input = {}, call = {}) => {
    const sent = send(input, call)
    return Object.assign(sent, { outcome: () => outcomeOf(sent) })
  }
}

function pagedOf(by: 'cursor' | 'offset', input: Input, load: (input: Input) => Promise<unknown>) {
  const pages = () => pagesOf(by, input, load)
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is sent when somebody awaits or iterates it.
    then: (...handlers: Parameters<Promise<unknown>['then']>) => load(input).then(...handlers),
    outcome: () => outcomeOf(load(input)),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data
    },
  }
}

async function sendCall(connection: Connection, route: Route, input: Input, call: CallOptions): Promise<unknown> {
  const takesBody = route.flags.has('body')
  const { path, rest } = addressOf(route.template, input, (name) => !takesBody || route.query.includes(name))
  const body = route.flags.has('once') ? { requestId: crypto.randomUUID(), ...rest } : rest
  const mayRepeat =
    route.method === 'GET' ||
    route.flags.has('once') ||
    (route.flags.has('again') && !('ifVersion' in rest || 'version' in rest))
  const endsWithNothing = route.method === 'DELETE'
  const request = { method: route.method, path, mayRepeat, endsWithNothing, ...(takesBody ? { body } : {}) }
  return connection.exchange(request, call, (response) => answerIn(response, route.flags.has('text')))
}

async function answerIn(response: Response, isText: boolean): Promise<unknown> {
  const { status, headers } = response
  if (status === 204) return undefined
  const type = headers.get('content-type') ?? 'none'
  const text = await response.text()
  if (isText && !/^text\/html|^application\/json/i.test(type)) return text
  if (!isText && /^application\/json/i.test(type)) return jsonIn(text, status)
  throw new EarshotError(
    'unreadable_answer',
    `The answer is not from Earshot (content type: ${type}). Check the \`url\`.`,
    {
      status,
    },
  )
}

async function outcomeOf(sent: Promise<unknown>): Promise<Outcome<unknown, Failure>> {
  try {
    return { ok: true, data: await sent }
  } catch (error) {
    if (isEarshotError(error)) return { ok: false, error }
    throw error
  }
}
