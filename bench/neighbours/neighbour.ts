import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask.ts'

/** What somebody in another workspace does, one thing after the other with a short pause, for so long. */
export interface Visit {
  port: number
  key: string
  paths: readonly string[]
  /** The origin under which the service believes to be reached. */
  origin: string
  email: string
  password: string
  forMs: number
}

export const SIGN_IN = 'sign-in'
/** Milliseconds of each answer by path, and how many were none that was hoped for. */
export type Visited = { tookMs: Record<string, number[]>; failed: number }

/** So that what is measured is not the neighbour's own load. */
const PAUSE_MS = 20

// A process of its own, so that it waits for nothing but the service.
if (process.send !== undefined)
  process.on('message', (told: Visit) => {
    void visit(told).then((visited) => process.send!(visited))
  })

async function visit({ port, key, paths, origin, email, password, forMs }: Visit): Promise<Visited> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const tookMs: Record<string, number[]> = Object.fromEntries([...paths, SIGN_IN].map((name) => [name, []]))
  let failed = 0
  const note = (name: string, status: number, hoped: number, took: number) => {
    tookMs[name]!.push(took)
    if (status !== hoped) failed += 1
  }
  const page = await ask({ port, agent, path: '/sign-in', headers: { 'sec-fetch-site': 'none' } })
  const cookie = page.cookies.map((cookie) => cookie.split(';')[0]).join('; ')
  const token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const body = new URLSearchParams({ form_token: token, email, password }).toString()
  const form = { cookie, origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
  for (const end = Date.now() + forMs; Date.now() < end; ) {
    for (const path of paths) {
      const { status, tookMs: took } = await ask({ port, agent, path, headers: { authorization: `Bearer ${key}` } })
      note(path, status, 200, took)
      await wait(PAUSE_MS)
    }
    const { status, tookMs: took } = await ask({ port, agent, path: '/sign-in', method: 'POST', headers: form, body })
    note(SIGN_IN, status, 303, took)
    await wait(PAUSE_MS)
  }
  agent.destroy()
  return { tookMs, failed }
}
