/**
 * Trains the offline classifier from the labelled sets beside the repository: once from all rows, which is shipped
 * (`models/offline-1.bin`), and before that without one tenth of them after the other, which `npm run eval` judges on
 * the tenth that each has not seen (`models/judged/`). The same data gives the same files.
 *
 * npm run train all ten tenths, as many at once as there are processors npm run train -- --tenths 2 quicker: only the
 * first two tenths can be judged then; what is shipped is the same npm run train -- --at-once 1 so many processes, of
 * which each takes a processor and the better part of a gigabyte npm run train -- --only NAME learns one part anew,
 * with what reads it, and keeps the others as they stand in the files npm run train -- --only NAME --tenths 0 the
 * same for the shipped file alone, whose figures then need a whole training npm run train -- --vectors makes the word
 * directions anew, and with them every part
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { APART, DATA_FOLDER, TENTHS } from './train/data.ts'
import { checkJudged, NEXT_FOLDER, replaceModels } from './train/judged.ts'
import { CALIBRATING, learnRound, stagesCalled } from './train/round.ts'

const { values } = parseArgs({
  options: {
    tenths: { type: 'string', default: String(TENTHS) },
    'at-once': { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string' },
    vectors: { type: 'boolean' },
    // What follows is for the processes that this one starts.
    [APART]: { type: 'string' },
    all: { type: 'boolean' },
  },
})
const stages = stagesCalled(values.only)
if (values.only !== undefined && values.vectors)
  throw new Error('--vectors takes no --only: every part was learned with the directions')
if (values.tenths === '0' && stages.some(({ name }) => name === 'sentiment'))
  throw new Error('--tenths 0 does not fit the sentiment, whose sureness is found on a tenth')
const apart = values[APART] === undefined ? null : Number(values[APART])

if (apart !== null || values.all) learnRound(stages, apart)
else await train(countFrom('tenths', values.only === undefined ? 2 : 0, TENTHS), countFrom('at-once', 1))

async function train(tenths: number, atOnce: number): Promise<void> {
  if (!existsSync(DATA_FOLDER)) throw new Error(`The labelled sets are not there: ${fileURLToPath(DATA_FOLDER)}`)
  // Parts of two trainings are not put together.
  if (values.only !== undefined && tenths > 0) checkJudged()
  rmSync(NEXT_FOLDER, { recursive: true, force: true })
  mkdirSync(NEXT_FOLDER)
  const others = new AbortController()
  const begun: Promise<void>[] = []
  const waiting: (number | null)[] = [...Array(tenths).keys(), null]
  const learnWaiting = async () => {
    for (let tenth = waiting.shift(); tenth !== undefined; tenth = waiting.shift()) {
      // What is shipped takes over from one of the others how sure it may be.
      if (tenth === null && tenths > 0) await begun[CALIBRATING]
      const round = learnElsewhere(tenth, others.signal)
      begun.push(round)
      await round
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, learnWaiting))
  } finally {
    others.abort()
  }
  replaceModels()
}

/** Learns in a process of its own: what is kept apart is chosen when one begins. */
async function learnElsewhere(tenth: number | null, signal: AbortSignal): Promise<void> {
  const which = tenth === null ? ['--all'] : [`--${APART}`, String(tenth)]
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1), ...which], {
    stdio: 'inherit',
    signal,
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`learning ended with ${code}: ${which.join(' ')}`)
}

function countFrom(option: 'tenths' | 'at-once', least: number, most = Number.POSITIVE_INFINITY): number {
  const count = Number(values[option])
  if (!Number.isInteger(count) || count < least || count > most)
    throw new Error(
      `--${option} takes a whole number from ${least} on${most < Number.POSITIVE_INFINITY ? ` up to ${most}` : ''}`,
    )
  return count
}
