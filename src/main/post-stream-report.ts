import type { Platform } from '../domain/platform/platforms.ts'
import { SECOND_MS } from '../kernel/clock.ts'
import { megabytes, numbered } from '../kernel/figures.ts'
import { gatheringOf } from '../pipeline/gather/gatherer.ts'
import type { PlatformSetup } from '../queries/reading.ts'
import { sourceStatusOf } from '../queries/sources/list-sources.ts'
import { isLive, SourceFault } from '../sources/contract.ts'
import { readSourceStates, type SourceState } from '../store/source/source-state.ts'
import { type PostStream, placeIn, type StreamState } from '../stream/contract.ts'
import type { Installation } from './installation.ts'
import { openPostStream } from './post-stream.ts'

type LiveSetup = Pick<PlatformSetup, 'platform' | 'off' | 'source'>

interface Report {
  rows: string[][]
  wrong: string[]
}

/** For the doctor: facts, and problems in sentences. */
export async function postStreamReport({ settings, services }: Installation): Promise<Report> {
  const stream = await openPostStream(settings)
  if (stream === null)
    return { rows: [['server', 'none: POST_STREAM_URL is not set, and live platforms are read directly']], wrong: [] }
  try {
    const live = services.sources.setups.filter(({ source }) => source !== null && isLive(source))
    const states = new Map((await readSourceStates(services.db)).map((state) => [state.source, state]))
    return await reportOf(stream, live, states, services.clock.now())
  } finally {
    await stream.close()
  }
}

/** Of a stream and the states of sources by name. */
export async function reportOf(
  stream: Pick<PostStream, 'describe' | 'state'>,
  live: readonly LiveSetup[],
  states: ReadonlyMap<string, SourceState>,
  now: Date,
): Promise<Report> {
  try {
    const server: Report = { rows: [['server', await stream.describe()]], wrong: [] }
    const reports = await Promise.all(
      live.map(async (setup) => [
        streamOf(setup.platform, await stream.state(setup.platform), states.get(setup.platform)),
        gatheringReport(setup, states.get(gatheringOf(setup.platform)), now),
      ]),
    )
    const all = [server, ...reports.flat()]
    return { rows: all.flatMap(({ rows }) => rows), wrong: all.flatMap(({ wrong }) => wrong) }
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error
    return { rows: [['server', error.message]], wrong: ['The post stream cannot be used (POST_STREAM_URL).'] }
  }
}

function streamOf(platform: Platform, state: StreamState | null, cell: SourceState | undefined): Report {
  if (state === null)
    return {
      rows: [[platform, 'no stream']],
      wrong: [`There is no post stream of ${platform}: start a process with --role gather that has it set up.`],
    }
  const place = placeIn(cell?.cursor)
  const kept = `${state.last + 1 - state.first} messages kept, ${megabytes(state.bytes)}`
  const behind = place ? `, this installation is ${Math.max(0, state.last - place.number)} behind` : ''
  const lost = place && place.lost > 0 ? ` and has lost ${place.lost} posts` : ''
  const isLate = place !== null && place.number + 1 < state.first
  return {
    rows: [[platform, `${kept}${behind}${lost}`]],
    wrong: isLate ? [`Posts of ${platform} leave the post stream before this installation reads them.`] : [],
  }
}

/** Nothing where this database is not a gatherer's. */
function gatheringReport(setup: LiveSetup, state: SourceState | undefined, now: Date): Report {
  if (state === undefined) return { rows: [], wrong: [] }
  const { platform } = setup
  const { lastSuccessAt, failures, lastError } = state
  const age = lastSuccessAt && Math.max(0, Math.round((now.getTime() - lastSuccessAt.getTime()) / SECOND_MS))
  const problem =
    failures > 0
      ? `Gathering ${platform} failed ${numbered(failures, 'time')} in a row: ${lastError}.`
      : `Nothing was gathered of ${platform} for ${age} s. Is a process with --role gather running?`
  return {
    rows: [[`${platform}, gathered here`, age === null ? 'nothing read yet' : `last read ${age} s ago`]],
    wrong: sourceStatusOf(setup, state, now) === 'degraded' ? [problem] : [],
  }
}
