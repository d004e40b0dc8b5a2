/**
 * Lengths of text that are tried in turn; what grows too fast is found at short ones, before a long one would take
 * minutes.
 */
const LENGTHS = [1600, 6400, 25_600, 100_000] as const
/**
 * What takes less for the last but one length looks at every character once at most: at a thousand steps a character it
 * would take longer.
 */
const AT_A_GLANCE_MS = 0.3
/**
 * Processor time of a character below which nothing is concluded: it is taken up by the runtime as much as by the
 * function. One that begins anew at every hundredth character of the longest text, and goes on to its end, takes
 * longer.
 */
const FLOOR_MS = 0.0005
/** A first call may take as long whatever its text is. */
const FIRST_MS = 0.05
/**
 * By how much more than the text the time may grow: room for sorting, for memory and for what else the machine does.
 */
const TOLERANCE = 2.2
/**
 * How often a suspicion is tried again before it is believed: the runtime compiles and tidies up in the time of
 * whatever it measures.
 */
const TRIES = 6

/**
 * What grows too fast goes on so at twice the length. A text that leaves the caches of the processor makes one step
 * slower, and the next no more.
 */
const DOUBLED_TOLERANCE = Math.sqrt(TOLERANCE * 4)

/** Of so many measurements the shortest counts. */
const SAMPLES = 3
/** What takes longer is measured well at once. */
const LONG_MS = 300

/**
 * Tries `run` on ever longer texts and answers how its processor time grew where that was faster than the text did, and
 * null where it was not. Times of a busy machine are compared with each other only, the shortest of several each.
 */
export function fasterThanLinear(run: (text: string) => unknown, textOf: (length: number) => string): string | null {
  let shorter = { length: 0, ms: Number.POSITIVE_INFINITY }
  for (const length of LENGTHS) {
    const text = textOf(length)
    let ms = timeOf(run, text, length < LENGTHS[2] ? SAMPLES : 1)
    for (let tried = 1; isSuspicious(shorter, { length, ms }); tried += 1) {
      if (tried === TRIES || ms > LONG_MS) {
        if (timeOf(run, textOf(2 * length), ms > LONG_MS ? 1 : SAMPLES) < DOUBLED_TOLERANCE * ms) break
        return `${shorter.length} -> ${length} characters: ${shorter.ms.toFixed(1)} -> ${ms.toFixed(1)} ms`
      }
      // What is compiled by now was not when the texts were first tried.
      shorter = { length: shorter.length, ms: Math.min(shorter.ms, timeOf(run, textOf(shorter.length), SAMPLES)) }
      ms = Math.min(ms, timeOf(run, text, SAMPLES))
    }
    if (length === LENGTHS[2] && ms < AT_A_GLANCE_MS) return null
    shorter = { length, ms }
  }
  return null
}

interface Measured {
  length: number
  ms: number
}

function isSuspicious(shorter: Measured, longer: Measured): boolean {
  return (
    longer.ms > FLOOR_MS * longer.length &&
    longer.ms / Math.max(shorter.ms, FIRST_MS) > TOLERANCE * (longer.length / shorter.length)
  )
}

/** Processor time, because a machine that does other things as well takes longer by the clock. */
function timeOf(run: (text: string) => unknown, text: string, times: number): number {
  let shortest = Number.POSITIVE_INFINITY
  for (let at = 0; at < times; at += 1) {
    const begun = process.cpuUsage()
    run(text)
    const { user, system } = process.cpuUsage(begun)
    shortest = Math.min(shortest, (user + system) / 1000)
  }
  return shortest
}
