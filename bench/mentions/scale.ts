/** How large the store of the benchmark is. */
export interface Scale {
  /** Mentions of each measured workspace, from small to large; the last one is what most figures are taken on. */
  measured: readonly number[]
  /** Mentions of everybody else together. */
  others: number
}

const FULL: Scale = { measured: [10_000, 100_000, 1_000_000], others: 5_000_000 }
const QUICK: Scale = { measured: [2000, 20_000, 200_000], others: 1_000_000 }

/** BENCH_MENTIONS sets the mentions of the largest workspace; the others keep their proportions to it. */
export function scaleOf(quick: boolean, wanted = process.env.BENCH_MENTIONS): Scale {
  const scale = quick ? QUICK : FULL
  if (wanted === undefined) return scale
  const largest = Number(wanted)
  if (!Number.isInteger(largest) || largest < 1000)
    throw new Error('BENCH_MENTIONS must be a whole number of at least 1,000')
  return { measured: [Math.round(largest / 100), Math.round(largest / 10), largest], others: largest * 5 }
}
