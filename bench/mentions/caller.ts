import { Agent, request } from 'node:http'

/** Questions that are asked one after the other, each so many times in turn. */
export interface Asking {
  port: number
  key: string
  paths: readonly string[]
  times: number
}

/** Milliseconds of each answer, by its path, or why there is none; and the last body of the last path. */
export type Asked = { tookMs: Record<string, number[]>; firstByteMs: number[]; body: string } | { failed: string }

// A process of its own, so that reading the answers takes none of the service's time.
process.on('message', (asking: Asking) => {
  ask(asking).then(
    (asked) => process.send!(asked),
    (error: Error) => process.send!({ failed: error.message }),
  )
})

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

async function ask({ port, key, paths, times }: Asking): Promise<Asked> {
  const tookMs: Record<string, number[]> = Object.fromEntries(paths.map((path) => [path, []]))
  const firstByteMs: number[] = []
  let body = ''
  for (let round = 0; round < times; round += 1)
    for (const path of paths) {
      const answer = await get(port, key, path)
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`)
      tookMs[path]!.push(answer.tookMs)
      firstByteMs.push(answer.firstByteMs)
      body = answer.body
    }
  // A large export stays where it is; its size is of no use to the parent.
  return { tookMs, firstByteMs, body: body.length > 1_000_000 ? '' : body }
}

interface Answer {
  status: number
  body: string
  tookMs: number
  firstByteMs: number
}

function get(port: number, key: string, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const begin = process.hrtime.bigint()
    const since = () => Number(process.hrtime.bigint() - begin) / 1e6
    const sent = request(
      { host: '127.0.0.1', port, path, agent, headers: { authorization: `Bearer ${key}` } },
      (response) => {
        let firstByteMs = 0
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => {
          firstByteMs ||= since()
          parts.push(part)
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            tookMs: since(),
            firstByteMs,
            body: Buffer.concat(parts).toString(),
          }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
