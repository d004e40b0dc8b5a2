import { EarshotError, errorIn } from './errors.ts'

/** The key or token of each request. A function is called for every attempt, with the key that was refused, if any. */
export type ApiKey = string | ((refused: string | null) => string | Promise<string>)

export interface ClientOptions {
  /** Address of the installation, such as `https://earshot.example.com`. */
  url: string
  /** Sent as a bearer credential. Without it, a page of the installation uses the cookie of its session. */
  apiKey?: ApiKey
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
  /** Repetitions of a failed request that may be repeated: 2 by default, 0 for none. */
  retries?: number
  /** Limit of one attempt with its answer, in milliseconds: 60,000 by default. For streams, until its beginning. */
  timeoutMs?: number
  /** A longer `Retry-After` is not waited for, in milliseconds: 60,000 by default. The error has it. */
  maxWaitMs?: number
  /** Called before each wait. */
  onRetry?: (retry: Retry) => void
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** Options of one call. They replace those of the client. */
export interface CallOptions {
  /** Ends the call. It then throws the reason of the signal. */
  signal?: AbortSignal | undefined
  retries?: number
  timeoutMs?: number
  headers?: Readonly<Record<string, string>>
}

export interface Retry {
  error: EarshotError
  /** 1 for the first repetition. */
  attempt: number
  waitMs: number
}

export interface HttpRequest {
  method: string
  /** From the root of the installation, with parameters. */
  path: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Whether a second one does no more than the first. Others are repeated only when the service did not begin. */
  mayRepeat: boolean
  /** Whether it has succeeded when a repetition finds nothing, as a deletion has whose first answer was lost. */
  endsWithNothing?: boolean
  /** Whether the answer is read after `read`, so that the signal of the call must end it then too. */
  isOpenEnded?: boolean
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8000

/** Sends requests to one installation, and repeats those that fail for a while. */
export class Connection {
  readonly options: ClientOptions
  private readonly base: string

  constructor(options: ClientOptions) {
    if (!/^https?:\/\/[^/]/i.test(options.url)) throw new TypeError(`url: ${options.url} is no http or https address.`)
    this.options = options
    this.base = options.url.replace(/\/+$/, '')
  }

  /** `read` takes the answer within the limit of the attempt. */
  async exchange<Result>(
    request: HttpRequest,
    call: CallOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    if (!/^\/(?!\/)/.test(request.path)) throw new TypeError('path: must begin with exactly one /')
    const retries = call.retries ?? this.options.retries ?? 2
    let refused: string | null = null
    let isMaybeDone = false
    for (let attempt = 1; ; ) {
      const key = await keyFor(this.options.apiKey, refused)
      const failed = await this.attempt(request, { call, key, read }).catch((error: unknown) => ({ error }))
      if ('result' in failed) return failed.result
      const { error } = failed
      if (!(error instanceof EarshotError)) throw error
      if (isMaybeDone && request.endsWithNothing && error.code === 'not_found') return undefined as Result
      if (error.status === 401 && typeof this.options.apiKey === 'function' && refused === null && key !== null) {
        refused = key
        continue
      }
      isMaybeDone ||= mayBeDone(error)
      if (attempt > retries || !mayFollow(error, request)) throw error
      await this.waitBefore(attempt, error, call)
      attempt += 1
    }
  }

  private async waitBefore(attempt: number, error: EarshotError, call: CallOptions): Promise<void> {
    const asked = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1000
    if (asked !== null && asked > (this.options.maxWaitMs ?? 60_000)) throw error
    const waitMs = asked ?? waitAfter(attempt)
    this.options.onRetry?.({ error, attempt, waitMs })
    await wait(waitMs, call.signal)
    call.signal?.throwIfAborted()
  }

  private async attempt<Result>(
    request: HttpRequest,
    { call, key, read }: { call: CallOptions; key: string | null; read: (response: Response) => Promise<Result> },
  ): Promise<{ result: Result }> {
    call.signal?.throwIfAborted()
    const limitMs = call.timeoutMs ?? this.options.timeoutMs ?? 60_000
    const ending = new AbortController()
    const leave = () => ending.abort(call.signal?.reason)
    call.signal?.addEventListener('abort', leave)
    const timedOut = new EarshotError('timed_out', `There was no answer within ${limitMs} ms.`, { status: 0 })
    const timer = setTimeout(() => ending.abort(timedOut), limitMs)
    try {
      const response = await (this.options.fetch ?? fetch)(this.base + request.path, {
        method: request.method,
        headers: headersOf(request, [this.options.headers, call.headers], key),
        redirect: 'manual',
        signal: request.isOpenEnded && call.signal ? AbortSignal.any([call.signal, ending.signal]) : ending.signal,
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      })
      if (!response.ok) throw await errorIn(response)
      return { result: await read(response) }
    } catch (error) {
      call.signal?.throwIfAborted()
      if (ending.signal.aborted) throw ending.signal.reason
      if (error instanceof EarshotError) throw error
      throw new EarshotError('no_answer', `${this.base} cannot be reached${reasonIn(error)}.`, {
        status: 0,
        cause: error,
      })
    } finally {
      clearTimeout(timer)
      call.signal?.removeEventListener('abort', leave)
    }
  }
}

async function keyFor(apiKey: ApiKey | undefined, refused: string | null): Promise<string | null> {
  if (apiKey === undefined) return null
  return typeof apiKey === 'string' ? apiKey : await apiKey(refused)
}

function headersOf(
  { body, headers }: HttpRequest,
  others: readonly (Readonly<Record<string, string>> | undefined)[],
  key: string | null,
): Record<string, string> {
  return {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
    ...Object.assign({}, ...others),
  }
}

/** 408 and 429 alone say that nothing was done. */
function mayBeDone({ status }: EarshotError): boolean {
  return status !== 408 && status !== 429
}

function mayFollow(error: EarshotError, { mayRepeat }: HttpRequest): boolean {
  return error.isPassing && (mayRepeat || !mayBeDone(error))
}

/** Doubles with each attempt. A part is by chance, so that many clients do not come back together. */
export function waitAfter(attempt: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 4)
}

/** Such as ECONNREFUSED, which `fetch` of Node has in the cause. */
function reasonIn(error: unknown): string {
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? ` (${code})` : ''
}

/** Resolves after the time or when the signal is aborted. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
}
