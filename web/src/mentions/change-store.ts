import { hasLocks } from '../app/has-locks.ts'
import type { QueuedChange } from './change-queue.ts'

/** Changes that wait are kept for each account of a workspace. */
const PREFIX = 'earshot-waiting'

/**
 * Keeps changes that wait, so that they outlive the page. Each page writes under a name of its own and holds a lock of
 * that name, by which the next page knows what a closed one left behind. Without locks a tab keeps them for itself.
 */
export class ChangeStore {
  private readonly storage = hasLocks() ? localStorage : sessionStorage
  private readonly prefix: string
  private readonly name: string
  private isHeld = false

  constructor(workspaceId: string, userId: string) {
    this.prefix = `${PREFIX}:${workspaceId}:${userId}:`
    this.name = this.prefix + (hasLocks() ? crypto.randomUUID() : 'tab')
  }

  /** Takes over what closed pages left. */
  async takeOver(): Promise<QueuedChange[]> {
    if (!hasLocks()) return this.take(this.name)
    const names = Object.keys(this.storage).filter((name) => name.startsWith(this.prefix) && name !== this.name)
    const found = await Promise.all(names.map((name) => this.takeUnheld(name)))
    return found.flat()
  }

  /** False when there is no room. */
  keep(changes: readonly QueuedChange[]): boolean {
    if (changes.length === 0) {
      this.storage.removeItem(this.name)
      return true
    }
    this.hold()
    try {
      this.storage.setItem(this.name, JSON.stringify(changes))
      return true
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError') return false
      throw error
    }
  }

  /** Until the page ends. */
  private hold(): void {
    if (this.isHeld || !hasLocks()) return
    this.isHeld = true
    void navigator.locks.request(this.name, () => new Promise(() => undefined))
  }

  private takeUnheld(name: string): Promise<QueuedChange[]> {
    return navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? [] : this.take(name)))
  }

  private take(name: string): QueuedChange[] {
    const text = this.storage.getItem(name)
    this.storage.removeItem(name)
    return text === null ? [] : (JSON.parse(text) as QueuedChange[])
  }
}
