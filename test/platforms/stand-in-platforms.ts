import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Platform, ReviewPlatform } from '../../src/domain/platform/platforms.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { eventually } from '../stand-ins/pipeline.ts'

const SHARED = new URL('../../../shared/', import.meta.url)
const SERVE = fileURLToPath(new URL('platforms/serve.mjs', SHARED))
const POSTS = fileURLToPath(new URL('data/posts.jsonl', SHARED))
/** So many posts of the file there are; every request of a search looks through those of its platform. */
const POSTS_AT_START = '2500'

/**
 * Programs that answer like the platforms. They are no part of this project: without them what needs them is skipped.
 */
export const ARE_THERE = existsSync(SERVE) && existsSync(POSTS)

export type Fault =
  | 'throttle'
  | 'unavailable'
  | 'hang'
  | 'html'
  | 'truncated'
  | 'shape'
  | 'empty'
  | 'unauthorized'
  | 'reset'

/** A post as somebody writes it; `app` and `country` name the page of a review. */
export interface Draft {
  platform: Platform
  text: string
  publishedAt?: string
  rating?: number
  app?: string
  country?: string
}

export interface StandInPost {
  platform: Platform
  /** As the platform names it. */
  id: string
  url: string
  text: string
  publishedAt: string
  page?: { id: string; app: string }
}

export interface StandInPage {
  platform: ReviewPlatform
  id: string
  app: string
  countries: string[]
  reviews: number
}

/** A request as a stand-in saw it; the status is 0 until it is answered. */
export interface LoggedRequest {
  at: string
  platform: Platform
  method: string
  path: string
  query: string
  status: number
  fault: Fault | null
}

export interface StandInPlatforms {
  url: string
  publish(draft: Draft): Promise<StandInPost>
  remove(platform: Platform, nativeId: string): Promise<void>
  /** The next requests of the platform, one unless `more` says otherwise, get the fault in the platform's own words. */
  fault(platform: Platform | 'all', fault: Fault | 'none', more?: { times?: number; forever?: boolean }): Promise<void>
  requests(of?: { platform?: Platform; since?: Date }): Promise<LoggedRequest[]>
  /** Every visible post of a platform that holds the term. */
  truth(platform: Platform, term: string): Promise<StandInPost[]>
  pages(): Promise<StandInPage[]>
  close(): Promise<void>
}

/** Refusals that no test has asked for: a platform that is asked within its limits, and for what it has, makes none. */
export function complaintsIn(log: readonly LoggedRequest[]): LoggedRequest[] {
  return log.filter((request) => request.fault === null && request.status >= 400 && !isAnswer(request))
}

/** What is not there, and comments that the owner of a video switched off. */
function isAnswer({ status, path }: LoggedRequest): boolean {
  return status === 404 || (status === 403 && path.endsWith('/commentThreads'))
}

/** All of them in a process of their own, each with its documented limits. */
export async function startPlatforms(): Promise<StandInPlatforms> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [SERVE, '--port', String(port), '--posts', POSTS, '--start', POSTS_AT_START], {
    stdio: 'ignore',
  })
  await eventually(() => fetch(`${url}/_control/stats`), { withinMs: 20_000 })
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(
      `${url}/_control/${path}`,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    )
    if (!reply.ok) throw new Error(`the stand-ins answered ${path} with ${reply.status}: ${await reply.text()}`)
    return reply.json()
  }
  const list = async <Row>(path: string) => ((await ask(path)) as { data: Row[] }).data
  return {
    url,
    publish: async (draft) => (await ask('publish', draft)) as StandInPost,
    remove: async (platform, id) => void (await ask('delete', { platform, id })),
    fault: async (platform, fault, more = {}) => void (await ask('faults', { platform, fault, ...more })),
    requests: ({ platform, since } = {}) =>
      list(
        `requests?${new URLSearchParams({ ...(platform ? { platform } : {}), ...(since ? { since: since.toISOString() } : {}) })}`,
      ),
    truth: (platform, term) => list(`truth?platform=${platform}&term=${encodeURIComponent(term)}`),
    pages: () => list('pages'),
    close: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
