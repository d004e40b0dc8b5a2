import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from '../../../src/client/schema.d.ts'
import { ApiError, errorOf, NO_ANSWER } from './errors.ts'
import { type Allowance, recorder } from './recorder.ts'
import { words } from './words.ts'

/** A schema of the OpenAPI document. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

let formToken = ''
let onDoubt: () => void = () => undefined

/**
 * The CSRF token of the session, which every change carries, and what follows when an answer says that the session has
 * ended or that the person may do less.
 */
export function setSession(token: string, doubt: () => void): void {
  formToken = token
  onDoubt = doubt
}

const starts = new WeakMap<Request, { at: number; body: Promise<string> | null }>()

const observed: Middleware = {
  // Nothing is awaited: a page that is being left sends only what it sends at once.
  onRequest({ request }) {
    if (request.method !== 'GET') request.headers.set('X-CSRF-Token', formToken)
    starts.set(request, { at: performance.now(), body: request.body === null ? null : request.clone().text() })
    return request
  },
  onResponse({ request, response }) {
    void record(request, response)
    doubtAfter(response)
  },
  onError({ request, error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    void record(request, null)
    return unreachable()
  },
}

function doubtAfter({ status }: Response): void {
  if (status === 401 || status === 403) onDoubt()
}

function unreachable(): ApiError {
  return new ApiError(0, { code: NO_ANSWER, message: words.unreachable })
}

/** The response is null when there was none. */
async function record(request: Request, response: Response | null): Promise<void> {
  const { pathname, search } = new URL(request.url)
  const { at, body } = starts.get(request) ?? { at: performance.now(), body: null }
  const milliseconds = Math.round(performance.now() - at)
  const answeredAt = Date.now()
  recorder.add({
    method: request.method,
    address: pathname + search,
    body: await body,
    status: response?.status ?? 0,
    milliseconds,
    requestId: response?.headers.get('x-request-id') ?? null,
    allowance: response && allowanceIn(response.headers),
    at: answeredAt,
  })
}

function allowanceIn(headers: Headers): Allowance | null {
  const [limit, remaining] = [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  return limit === null || remaining === null ? null : { limit: Number(limit), remaining: Number(remaining) }
}

/** Speaks to the API of this origin with the session's cookie. */
export const api = createClient<paths>({
  querySerializer: { array: { style: 'form', explode: false } },
})
api.use(observed)

const SAVE_MS = 15_000

/** Saves the language of the dashboard with the account. Empty follows the browser. Throws ApiError. */
export async function saveLanguage(language: string): Promise<void> {
  const response = await fetch('/session/language', {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams({ language, form_token: formToken }),
    signal: AbortSignal.timeout(SAVE_MS),
  }).catch(() => {
    throw unreachable()
  })
  doubtAfter(response)
  if (!response.ok) throw errorOf(response.status, await response.json().catch(() => null))
}

/** The data of an answer; throws ApiError for every other answer. */
export async function dataOf<Data>(
  answer: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await answer
  if (response.ok) return data as Data
  throw errorOf(response.status, error)
}
