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

export type Label = string | boolean | null | undefined

/** How often each row counts: once for a figure, and as often as it was drawn for how sure the figure is. */
export type Weights = Int32Array

/** What is prepared once for many weights of the same rows. */
export type Measure<Value> = (weights: Weights) => Value

/** Every row once. */
export function once(rows: number): Weights {
  return new Int32Array(rows).fill(1)
}

/** One label a row. Classes are those that were wanted; a guess outside of them is merely wrong. */
export function classFigures(wanted: readonly Label[], given: readonly Label[]): Measure<ClassFigures> {
  const labels = [...new Set(wanted)]
  const places = new Map(labels.map((label, at) => [label, at]))
  const wantedAt = Int32Array.from(wanted, (label) => places.get(label)!)
  const givenAt = Int32Array.from(given, (label) => places.get(label) ?? -1)
  return (weights) => {
    const [has, gave, right] = [labels, labels, labels].map(({ length }) => new Int32Array(length)) as [
      Int32Array,
      Int32Array,
      Int32Array,
    ]
    for (let at = 0; at < weights.length; at += 1) {
      has[wantedAt[at]!]! += weights[at]!
      if (givenAt[at]! < 0) continue
      gave[givenAt[at]!]! += weights[at]!
      if (givenAt[at] === wantedAt[at]) right[wantedAt[at]!]! += weights[at]!
    }
    const parts = labels.flatMap((label, at) => {
      const n = has[at]!
      if (n === 0) return []
      const p = right[at]! / (gave[at]! || 1)
      const r = right[at]! / n
      return [{ label, n, p, r, f1: p + r ? (2 * p * r) / (p + r) : 0 }]
    })
    const n = sum(has)
    return {
      n,
      accuracy: percent(sum(right) / n),
      macroF1: percent(mean(parts.map(({ f1 }) => f1))),
      macroRecall: percent(mean(parts.map(({ r }) => r))),
      perClass: Object.fromEntries(
        parts.map(({ label, n, f1, p, r }) => [String(label), { n, f1: percent(f1), p: percent(p), r: percent(r) }]),
      ),
    }
  }
}

/** Any number of tags a row. A tag that no row has counts against the micro average only. */
export function tagFigures(
  wanted: readonly (readonly string[])[],
  given: readonly (readonly string[])[],
): Measure<TagFigures> {
  const tags = [...new Set([...wanted, ...given].flat())].map((tag) => ({
    tag,
    has: wanted.map((item) => item.includes(tag)),
    got: given.map((item) => item.includes(tag)),
  }))
  return (weights) => {
    const sums = { right: 0, extra: 0, missed: 0 }
    const per: TagFigures['per'] = {}
    for (const { tag, has, got } of tags) {
      let [right, extra, missed] = [0, 0, 0]
      for (let at = 0; at < weights.length; at += 1) {
        if (has[at] && got[at]) right += weights[at]!
        else if (got[at]) extra += weights[at]!
        else if (has[at]) missed += weights[at]!
      }
      sums.right += right
      sums.extra += extra
      sums.missed += missed
      if (right + missed > 0)
        per[tag] = { n: right + missed, f1: percent(right ? (2 * right) / (2 * right + extra + missed) : 0) }
    }
    return {
      microF1: percent((2 * sums.right) / (2 * sums.right + sums.extra + sums.missed || 1)),
      macroF1_5plus: meanF1(per, 5),
      per,
    }
  }
}

/** The mean F1 of tags that so many rows have. */
export function meanF1(per: TagFigures['per'], leastRows: number): number {
  const common = Object.values(per).filter(({ n }) => n >= leastRows)
  return Math.round((100 * common.reduce((all, { f1 }) => all + f1, 0)) / (common.length || 1)) / 100
}

/** The chance that a row that has it scores above one that has not, ties counting half; in per cent. */
export function areaUnderCurve(scores: readonly number[], wanted: readonly boolean[]): Measure<number> {
  const order = Int32Array.from(scores.keys()).sort((first, second) => scores[first]! - scores[second]!)
  return (weights) => {
    let ranks = 0
    let positives = 0
    let below = 0
    for (let at = 0; at < order.length; ) {
      const score = scores[order[at]!]
      let equal = 0
      let found = 0
      for (; at < order.length && scores[order[at]!] === score; at += 1) {
        const weight = weights[order[at]!]!
        equal += weight
        if (wanted[order[at]!]) found += weight
      }
      ranks += (found * (2 * below + equal + 1)) / 2
      positives += found
      below += equal
    }
    return percent((ranks - (positives * (positives + 1)) / 2) / (positives * (below - positives)))
  }
}

/** Pearson's correlation with three decimals. */
export function correlation(first: readonly number[], second: readonly number[]): Measure<number> {
  return (weights) => {
    const [mine, theirs] = [weightedMean(first, weights), weightedMean(second, weights)]
    let both = 0
    let own = 0
    let rest = 0
    for (const [at, value] of first.entries()) {
      both += weights[at]! * (value - mine) * (second[at]! - theirs)
      own += weights[at]! * (value - mine) ** 2
      rest += weights[at]! * (second[at]! - theirs) ** 2
    }
    return Math.round((1000 * both) / Math.sqrt(own * rest)) / 1000
  }
}

export interface Calibration {
  /** Expected calibration error in per cent, over ten bins of equal width. */
  error: number
  /** Of the rows that it was least sure of, 30 and 70 in a hundred: the share of all errors among them, in per cent. */
  errorsInUncertain: { thirty: number; seventy: number }
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
  const leastSureFirst = [...rows].sort((first, second) => first.confidence - second.confidence)
  const errors = (some: readonly { right: boolean }[]) => some.filter(({ right }) => !right).length
  const errorsAmong = (share: number) =>
    percent(errors(leastSureFirst.slice(0, Math.round(share * rows.length))) / (errors(rows) || 1))
  return {
    error: percent(bins.reduce((sum, { right, sure }) => sum + Math.abs(right - sure), 0) / rows.length),
    errorsInUncertain: { thirty: errorsAmong(0.3), seventy: errorsAmong(0.7) },
    uncertain: percent(rows.filter(({ confidence }) => confidence < 0.4).length / rows.length),
    bins,
  }
}

export function weightedMean(values: readonly number[], weights: Weights): number {
  let all = 0
  for (let at = 0; at < weights.length; at += 1) all += weights[at]! * values[at]!
  return all / sum(weights)
}

function mean(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0) / values.length
}

function sum(counts: Int32Array): number {
  let all = 0
  for (const count of counts) all += count
  return all
}

function percent(share: number): number {
  return Math.round(share * 1e4) / 100
}
