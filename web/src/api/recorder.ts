/** A request of this tab, as the panel of requests shows it. */
export interface RecordedRequest {
  id: number
  method: string
  /** Path and query. */
  address: string
  /** The body as JSON text; null without one. */
  body: string | null
  /** 0 when there was no answer. */
  status: number
  milliseconds: number
  requestId: string | null
  /** What is left of the limit of requests; null where the answer does not say. */
  allowance: Allowance | null
  at: number
}

/** Requests in a minute, as headers of an answer tell. */
export interface Allowance {
  limit: number
  remaining: number
}

const LIMIT = 50

/** The last requests, newest first. */
class Recorder {
  private requests: readonly RecordedRequest[] = []
  private readonly listeners = new Set<() => void>()
  private count = 0

  add(request: Omit<RecordedRequest, 'id'>): void {
    this.count += 1
    this.requests = [{ ...request, id: this.count }, ...this.requests.slice(0, LIMIT - 1)]
    for (const listener of this.listeners) listener()
  }

  readonly snapshot = (): readonly RecordedRequest[] => this.requests

  /** Of the newest answer that told. */
  readonly allowance = (): Allowance | null =>
    this.requests.find(({ allowance }) => allowance !== null)?.allowance ?? null

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}

export const recorder = new Recorder()
