/** What has to be closed in the end, the last first. */
export class Closers {
  private readonly closers: (() => Promise<unknown>)[] = []

  add(close: () => Promise<unknown>): void {
    this.closers.push(close)
  }

  async close(): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.closers.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
}
