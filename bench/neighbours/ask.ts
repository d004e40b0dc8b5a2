import { type Agent, request } from 'node:http'

export interface Asked {
  status: number
  tookMs: number
  body: string
  cookies: readonly string[]
  retryAfterSeconds: number
}

export interface Question {
  port: number
  path: string
  agent: Agent
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Asks once and waits for the whole answer, whatever it is. */
export function ask({ port, path, agent, method = 'GET', headers = {}, body }: Question): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const begin = process.hrtime.bigint()
    const sent = request({ host: '127.0.0.1', port, path, agent, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          tookMs: Number(process.hrtime.bigint() - begin) / 1e6,
          body: Buffer.concat(parts).toString(),
          cookies: response.headers['set-cookie'] ?? [],
          retryAfterSeconds: Number(response.headers['retry-after'] ?? 0),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
