/** What a scripted server answers: a response, or an error of the connection. */
export type ScriptedAnswer = Response | Error | ((signal: AbortSignal) => Promise<Response>)

export interface ScriptedFetch {
  fetch: typeof fetch
  /** In the order in which they came. */
  requests: Request[]
}

/** A `fetch` that gives the answers in order, and fails a test that asks for more. */
export function scriptedFetch(...answers: ScriptedAnswer[]): ScriptedFetch {
  const requests: Request[] = []
  return {
    requests,
    fetch: async (address, init) => {
      const request = new Request(address, init)
      requests.push(request)
      const answer = answers.shift()
      if (answer === undefined) throw new Error(`nobody expected ${request.method} ${request.url}`)
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer(request.signal) : answer
    },
  }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })
}

export function refused(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more: object = {},
): Response {
  return json({ error: { code, message: `about ${code}`, requestId: 'req_1', ...more } }, status, headers)
}
