/** Things that are looked for at once. */
const PORTION = 200
/** For so many at once the provider is asked. */
const LANES = 8
/**
 * When so many in succession get no answer, none is to be had: there is no point in waiting for it once for each. As
 * many as are asked at once, so that a few that always fail, and fail sooner than others are answered, are not taken
 * for it.
 */
const SILENT_AFTER = LANES

/**
 * Does the same for each of many, several at a time: for what `page` finds, and then for what it finds after the last
 * of that. `work` answers whether the provider was heard. What fails for one keeps no other from its turn, unless
 * nothing is heard any more between failures; answers the failures once all that was begun is through.
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
    const portion: One[] = await page(after, PORTION)
    const left = [...portion]
    const lane = async () => {
      for (let item = left.shift(); item !== undefined && inSuccession < SILENT_AFTER; item = left.shift())
        await take(item)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    if (portion.length < PORTION || inSuccession >= SILENT_AFTER) return failures
    after = portion.at(-1)!
  }
}
