/** One figure of a benchmark. */
export interface BenchRow {
  /** What was measured, in words. */
  measure: string
  value: number
  unit: string
  /**
   * What the figure has to reach, and where it is meant to go; whether more or less is better follows from the unit.
   */
  must?: number
  goal?: number
  /** Which way is better; higher unless told otherwise. */
  better?: 'higher' | 'lower'
  /** What the figure was compared with in the same run, and how that one did. */
  peer?: string
  note?: string
}

export interface BenchOptions {
  /** Smaller inputs and fewer peers, for a look in between. */
  quick: boolean
}
