/** Figures as `score.mjs` of the data's folder computes them, in per cent with two decimals. */
export interface ClassFigures {
  n: number
  accuracy: number
  macroF1: number
  macroRecall: number
  perClass: Record<string, { n: number; f1: number; p: number; r: number }>
}

export interface TagFigures {
  microF1: number
  /** The mean over tags that stand on five rows or more. */
  macroF1_5plus: number
  per: Record<string, { n: number; f1: number }>
}

type Label = string | boolean | null | undefined

/** One label a row. Classes are those that were wanted; a guess outside of them is merely wrong. */
export function classFigures(wanted: readonly Label[], given: readonly Label[]): ClassFigures {
  const counts = new Map(wanted.map((label) => [label, { n: 0, right: 0, gave: 0 }]))
  let rightOnes = 0
  for (let at = 0; at < wanted.length; at += 1) {
    const label = wanted[at]
    const own = counts.get(label)!
    own.n += 1
    if (given[at] === label) {
      own.right += 1
      rightOnes += 1
    }
    const guessed = counts.get(given[at])
    if (guessed !== undefined) guessed.gave += 1
  }
  const parts = [...counts].map(([label, { n, right, gave }]) => {
    const p = right / (gave || 1)
    const r = right / n
    return { label, n, p, r, f1: p + r ? (2 * p * r) / (p + r) : 0 }
  })
  return {
    n: wanted.length,
    accuracy: percent(rightOnes / wanted.length),
    macroF1: percent(mean(parts.map(({ f1 }) => f1))),
    macroRecall: percent(mean(parts.map(({ r }) => r))),
    perClass: Object.fromEntries(parts.map(({ label, n, f1, p, r }) => [String(label), { n, f1: percent(f1), p: percent(p), r: percent(r) }])),
  }
}

/** Any number of tags a row. A tag that no row has counts against the micro average only. */
export function tagFigures(wanted: readonly (readonly string[])[], given: readonly (readonly string[])[]): TagFigures {
  const tags = [...new Set(wanted.flat())]
  const sums = { right: 0, extra: 0, missed: 0 }
  const per: TagFigures['per'] = {}
  for (const tag of tags) {
    const count = (has: boolean, got: boolean) => wanted.filter((one, at) => one.includes(tag) === has && given[at]!.includes(tag) === got).length
    const [right, extra, missed] = [count(true, true), count(false, true), count(true, false)]
    sums.right += right
    sums.extra += extra
    sums.missed += missed
    per[tag] = { n: right + missed, f1: percent(right ? (2 * right) / (2 * right + extra + missed) : 0) }
  }
  sums.extra += given.flat().filter((tag) => !tags.includes(tag)).length
  const common = Object.values(per).filter(({ n }) => n >= 5)
  return {
    microF1: percent((2 * sums.right) / (2 * sums.right + sums.extra + sums.missed || 1)),
    macroF1_5plus: Math.round((100 * common.reduce((sum, { f1 }) => sum + f1, 0)) / (common.length || 1)) / 100,
    per,
  }
}

/** The chance that a row that has it scores above one that has not, ties counting half; in per cent. */
export function areaUnderCurve(scores: readonly number[], wanted: readonly boolean[]): number {
  const sorted = scores.map((score, at) => ({ score, has: wanted[at]! })).sort((one, other) => one.score - other.score)
  let ranks = 0
  let positives = 0
  for (let at = 0; at < sorted.length; ) {
    let end = at
    while (end < sorted.length && sorted[end]!.score === sorted[at]!.score) end += 1
    for (let one = at; one < end; one += 1) {
      if (!sorted[one]!.has) continue
      ranks += (at + end + 1) / 2
      positives += 1
    }
    at = end
  }
  return percent((ranks - (positives * (positives + 1)) / 2) / (positives * (sorted.length - positives)))
}

/** Pearson's correlation with three decimals. */
export function correlation(one: readonly number[], other: readonly number[]): number {
  const [mine, theirs] = [mean(one), mean(other)]
  let both = 0
  let own = 0
  let rest = 0
  for (const [at, value] of one.entries()) {
    both += (value - mine) * (other[at]! - theirs)
    own += (value - mine) ** 2
    rest += (other[at]! - theirs) ** 2
  }
  return Math.round((1000 * both) / Math.sqrt(own * rest)) / 1000
}

export interface Calibration {
  /** Expected calibration error in per cent, over ten bins of equal width. */
  error: number
  /** Of the rows that it was least sure of, 30 in a hundred: the share of all errors among them, in per cent. */
  errorsInUncertain: number
  /** Share of rows below 0.4, which the product calls uncertain. */
  uncertain: number
  bins: { count: number; right: number; sure: number }[]
}

/** How well confidences tell right from wrong. */
export function calibrationOf(rows: readonly { confidence: number; right: boolean }[]): Calibration {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, right: 0, sure: 0 }))
  for (const { confidence, right } of rows) {
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]!
    bin.count += 1
    bin.right += Number(right)
    bin.sure += confidence
  }
  const leastSure = [...rows].sort((one, other) => one.confidence - other.confidence).slice(0, Math.round(0.3 * rows.length))
  const errors = (some: readonly { right: boolean }[]) => some.filter(({ right }) => !right).length
  return {
    error: percent(bins.reduce((sum, { right, sure }) => sum + Math.abs(right - sure), 0) / rows.length),
    errorsInUncertain: percent(errors(leastSure) / (errors(rows) || 1)),
    uncertain: percent(rows.filter(({ confidence }) => confidence < 0.4).length / rows.length),
    bins,
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function percent(share: number): number {
  return Math.round(share * 1e4) / 100
}
