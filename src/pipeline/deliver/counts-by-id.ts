import type { Uuid } from '../../kernel/ids.ts'

export class CountsById {
  private readonly counts = new Map<Uuid, number>()
  private sum = 0

  get total(): number {
    return this.sum
  }

  of(id: Uuid): number {
    return this.counts.get(id) ?? 0
  }

  atLeast(least: number): Uuid[] {
    return [...this.counts].flatMap(([id, count]) => (count >= least ? [id] : []))
  }

  add(id: Uuid, change: number): void {
    this.sum += change
    const count = this.of(id) + change
    if (count === 0) this.counts.delete(id)
    else this.counts.set(id, count)
  }
}
