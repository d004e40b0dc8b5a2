import type { Uuid } from '../../kernel/ids.ts'
import { CountsById } from './counts-by-id.ts'
import type { Lane } from './lane.ts'

/** One workspace gets at most the budget divided by this. */
const SHARE = 4

export class WireBudget<Item> {
  private readonly most: number
  private readonly onWire = new CountsById()
  private readonly crowded = new Map<Uuid, Set<Lane<Item>>>()

  constructor(most: number) {
    this.most = most
  }

  get total(): number {
    return this.onWire.total
  }

  get isCrowded(): boolean {
    return this.crowded.size > 0
  }

  hasRoom(workspaceId: Uuid): boolean {
    return this.onWire.total < this.most && this.onWire.of(workspaceId) < this.most / SHARE
  }

  take(workspaceId: Uuid): void {
    this.onWire.add(workspaceId, 1)
  }

  giveBack(workspaceId: Uuid): void {
    this.onWire.add(workspaceId, -1)
  }

  crowd(lane: Lane<Item>): void {
    const waiting = this.crowded.get(lane.workspaceId)
    if (waiting) waiting.add(lane)
    else this.crowded.set(lane.workspaceId, new Set([lane]))
  }

  admitCrowded(begin: (lane: Lane<Item>) => void): void {
    for (const [workspaceId, waiting] of this.crowded) {
      if (this.onWire.total >= this.most) return
      if (!this.hasRoom(workspaceId)) continue
      const [lane] = waiting
      this.crowded.delete(workspaceId)
      waiting.delete(lane!)
      if (waiting.size > 0) this.crowded.set(workspaceId, waiting)
      begin(lane!)
    }
  }

  clearCrowded(): void {
    this.crowded.clear()
  }
}
