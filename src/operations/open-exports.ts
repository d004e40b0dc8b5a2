import { type Refusal, refuse } from '../domain/refusal/refusal.ts'
import type { Uuid } from '../kernel/ids.ts'
import { Streamed } from './streamed.ts'

/**
 * Exports that are open at the same time in this process: of one workspace, and of all. Each holds what it has made
 * until it is read.
 */
export const EXPORTS_OF_WORKSPACE = 3
export const EXPORTS_OF_PROCESS = 30
/** When a caller may come again for whom there was no room. */
const AGAIN_SECONDS = 10

/** How many exports are on their way to a reader, who may take as long as they like. */
export class OpenExports {
  private readonly ofWorkspace = new Map<Uuid, number>()
  private ofProcess = 0

  /** Makes an export and counts it until it was read to its end, its reader is gone, or there is none. */
  async open<Answer>(
    workspaceId: Uuid,
    signal: AbortSignal | undefined,
    make: () => Promise<Answer>,
  ): Promise<Answer | Streamed | Refusal<'rate_limited'>> {
    const full = this.fullOf(workspaceId)
    if (full !== null) return refuse('rate_limited', full, { retryAfterSeconds: AGAIN_SECONDS })
    const leave = this.enter(workspaceId)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      const answer = await make()
      if (answer instanceof Streamed) return new Streamed(until(answer.chunks, leave), answer.headers)
      leave()
      return answer
    } catch (error) {
      leave()
      throw error
    }
  }

  private fullOf(workspaceId: Uuid): string | null {
    if ((this.ofWorkspace.get(workspaceId) ?? 0) >= EXPORTS_OF_WORKSPACE)
      return `The workspace has ${EXPORTS_OF_WORKSPACE} exports open. Finish reading one before you start another.`
    return this.ofProcess >= EXPORTS_OF_PROCESS
      ? 'Too many exports are running on this installation. Try again in a moment.'
      : null
  }

  /** Answers how to leave again, which counts once. */
  private enter(workspaceId: Uuid): () => void {
    let isIn = true
    this.ofProcess += 1
    this.ofWorkspace.set(workspaceId, (this.ofWorkspace.get(workspaceId) ?? 0) + 1)
    return () => {
      if (!isIn) return
      isIn = false
      this.ofProcess -= 1
      const left = this.ofWorkspace.get(workspaceId)! - 1
      if (left > 0) this.ofWorkspace.set(workspaceId, left)
      else this.ofWorkspace.delete(workspaceId)
    }
  }
}

async function* until(chunks: AsyncIterable<string>, over: () => void): AsyncIterable<string> {
  try {
    yield* chunks
  } finally {
    over()
  }
}
