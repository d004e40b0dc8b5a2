import { readFileSync } from 'node:fs'
import { systemClock } from '../../src/kernel/clock.ts'
import { familyOf, memoryMb } from '../../test/stand-ins/earshot-process.ts'

/** Memory and processor time of the processes of a run. Linux only. */
export interface Sampler {
  /** Looks once more, out of turn: before a process is ended, so that its last processor time counts. */
  look(): void
  stop(): Promise<Usage>
}

export interface Usage {
  /** Proportional set size by process, oldest first; a process that was started again has another number. */
  memory: ReadonlyMap<string, readonly Sample[]>
  /** The heap that was in use, garbage included, where a process says so; its lowest values tell what is kept. */
  heap: ReadonlyMap<string, readonly Sample[]>
  /** Processor time in seconds by process, over all that had its name. */
  cpuSeconds: ReadonlyMap<string, number>
}

export interface Sample {
  atMs: number
  pid: number
  mb: number
}

/** What to look at: a process, or one with everything below it. */
export interface Watched {
  name: string
  pid(): number
  family: boolean
  /** Where its metrics can be read. */
  metrics?: string
}

/** The kernel counts processor time in hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
const HEAP_WITHIN_MS = 2000

export function startSampler(watched: readonly Watched[], everyMs: number): Sampler {
  const memory = new Map<string, Sample[]>(watched.map(({ name }) => [name, []]))
  /** The last reading of each process that ever had a name. */
  const cpu = new Map<string, Map<number, number>>(watched.map(({ name }) => [name, new Map()]))
  const heap = new Map<string, Sample[]>(watched.map(({ name }) => [name, []]))
  const first = new Map<string, number>()
  const ending = new AbortController()

  const look = () => {
    for (const { name, pid: pidOf, family } of watched) {
      try {
        const pid = pidOf()
        const seconds = family ? familySeconds(pid) : processorSeconds(pid)
        if (!first.has(name)) first.set(name, seconds)
        cpu.get(name)!.set(pid, seconds)
        memory.get(name)!.push({ atMs: systemClock.now().getTime(), pid, mb: memoryMb(family ? familyOf(pid) : [pid]) })
      } catch (error) {
        // It is being started again at this moment.
        if (!/ENOENT|ESRCH/.test(String((error as NodeJS.ErrnoException).code))) throw error
      }
    }
  }
  const running = (async () => {
    while (!ending.signal.aborted) {
      look()
      await Promise.all(watched.map((item) => readHeap(item, heap.get(item.name)!)))
      await systemClock.wait(everyMs, ending.signal)
    }
  })()
  return {
    look,
    async stop() {
      look()
      ending.abort()
      await running
      const total = ({ name }: Watched) =>
        [...cpu.get(name)!.values()].reduce((sum, value) => sum + value, 0) - first.get(name)!
      return { memory, heap, cpuSeconds: new Map(watched.map((item) => [item.name, total(item)])) }
    },
  }
}

async function readHeap({ metrics, pid }: Watched, samples: Sample[]): Promise<void> {
  if (metrics === undefined) return
  try {
    const reply = await fetch(metrics, { signal: AbortSignal.timeout(HEAP_WITHIN_MS) })
    const bytes = (await reply.text()).match(/^nodejs_heap_size_used_bytes (\S+)$/m)?.[1]
    if (bytes) samples.push({ atMs: systemClock.now().getTime(), pid: pid(), mb: Number(bytes) / 2 ** 20 })
  } catch {
    // It is being started again at this moment, or too busy: the next look may succeed.
  }
}

function fieldsOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

/**
 * User and system time are the fields 14 and 15 of the line, those of ended children the two behind; the first two are
 * cut off here.
 */
export function processorSeconds(pid: number): number {
  const fields = fieldsOf(pid)
  return (fields[11]! + fields[12]!) / TICKS_PER_SECOND
}

function familySeconds(pid: number): number {
  const fields = fieldsOf(pid)
  const ended = (fields[13]! + fields[14]!) / TICKS_PER_SECOND
  return familyOf(pid).reduce((sum, member) => sum + processorSeconds(member), ended)
}

/** How memory moves over samples, in MB a minute, by least squares. */
export function slopeMbPerMinute(samples: readonly Sample[]): number {
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / samples.length
  const meanMb = samples.reduce((sum, { mb }) => sum + mb, 0) / samples.length
  const spread = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0)
  const common = samples.reduce((sum, { atMs, mb }) => sum + (atMs - meanAt) * (mb - meanMb), 0)
  return spread === 0 ? 0 : (common / spread) * 60_000
}
