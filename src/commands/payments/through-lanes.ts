const PAGE = 200
const LANES = 8
/** The provider then counts as down. As many as run at once, so that a few fast failures alone do not reach it. */
const SILENT_AFTER = LANES

/**
 * `work` returns whether the provider answered. A failure holds up no other item, unless too many follow each other.
 * Returns the failures.
 */
export async function throughLanes<One>(
  page: (after: One | null, limit: number) => Promise<One[]>,
  work: (item: One) => Promise<boolean>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  let inSuccession = 0
  const take = async (item: One) => {
    try {
      if (await work(item)) inSuccession = 0
    } catch (error) {
      failures.push(error)
      inSuccession += 1
    }
  }
  for (let after: One | null = null; ; ) {
    const items: One[] = await page(after, PAGE)
    const left = [...items]
    const lane = async () => {
      for (let item = left.shift(); item !== undefined && inSuccession < SILENT_AFTER; item = left.shift())
        await take(item)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    if (items.length < PAGE || inSuccession >= SILENT_AFTER) return failures
    after = items.at(-1)!
  }
}
