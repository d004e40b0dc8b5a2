/** The value below which this share of the values lies; NaN where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export interface Quantiles {
  p50: number
  p99: number
}

export function quantilesOf(values: readonly number[]): Quantiles {
  return { p50: median(values), p99: quantile(values, 0.99) }
}
