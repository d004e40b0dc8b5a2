/** What the runtime writes with --cpu-prof, as far as it is read. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[]
  /** Microseconds on the clock of `process.hrtime`. */
  startTime: number
  /** The node on top of the stack at each look. */
  samples: number[]
  /** Microseconds since the look before. */
  timeDeltas: number[]
}

/** A function as it stands on the stack, with everything that it called. */
export interface Frame {
  name: string
  room: Room
  micros: number
  children: Frame[]
}

/** Parts of the service, in the order of a post's way, and what is nobody's. */
export const ROOMS = [
  'sources',
  'matching',
  'pipeline',
  'store and pg',
  'classify',
  'queries',
  'channels',
  'domain',
  'other rooms',
  'garbage collection',
  'runtime',
] as const
export type Room = (typeof ROOMS)[number]

const OF_FOLDER: Readonly<Record<string, Room>> = {
  sources: 'sources',
  matching: 'matching',
  pipeline: 'pipeline',
  store: 'store and pg',
  classify: 'classify',
  queries: 'queries',
  channels: 'channels',
  domain: 'domain',
}
const OF_PACKAGE: Readonly<Record<string, Room>> = {
  ws: 'sources',
  zod: 'sources',
  kysely: 'store and pg',
  undici: 'channels',
  eld: 'classify',
}

/**
 * The room that a frame says it belongs to; null for the runtime's own functions, which work for whoever called them.
 */
export function roomOfFrame(url: string, functionName: string): Room | null {
  if (functionName === '(garbage collector)') return 'garbage collection'
  const packaged = /\/node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(url)?.[1]
  if (packaged) return OF_PACKAGE[packaged] ?? (/^(pg|postgres)/.test(packaged) ? 'store and pg' : 'other rooms')
  const folder = /\/(?:dist|src)\/([^/]+)\//.exec(url)?.[1]
  return folder ? (OF_FOLDER[folder] ?? 'other rooms') : null
}

/** Kinds of sample in which the processor did nothing for us. */
const IDLE = new Set(['(idle)'])

/**
 * The stacks of a profile between two instants as one tree, idle time left out. A function of the runtime counts with
 * the room of its caller, so that a hash that a channel asks for is the channel's.
 */
export function treeOf(profile: CpuProfile, fromMicros: number, toMicros: number): Frame {
  const micros = selfMicros(profile, fromMicros, toMicros)
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const build = (id: number, above: Room): Frame => {
    const { callFrame, children = [] } = nodes.get(id)!
    const room = roomOfFrame(callFrame.url, callFrame.functionName) ?? above
    const below = merged(children.map((child) => build(child, room)).filter((frame) => frame.micros > 0))
    const own = IDLE.has(callFrame.functionName) ? 0 : (micros.get(id) ?? 0)
    return {
      name: nameOf(callFrame),
      room,
      micros: own + below.reduce((sum, frame) => sum + frame.micros, 0),
      children: below,
    }
  }
  return build(profile.nodes[0]!.id, 'runtime')
}

/** What each room used by itself, without what it called in others. */
export function microsByRoom(tree: Frame): Map<Room, number> {
  const totals = new Map<Room, number>(ROOMS.map((room) => [room, 0]))
  const add = (frame: Frame) => {
    const own = frame.micros - frame.children.reduce((sum, child) => sum + child.micros, 0)
    totals.set(frame.room, totals.get(frame.room)! + own)
    frame.children.forEach(add)
  }
  add(tree)
  return totals
}

function selfMicros(
  { samples, timeDeltas, startTime }: CpuProfile,
  fromMicros: number,
  toMicros: number,
): Map<number, number> {
  const micros = new Map<number, number>()
  let at = startTime
  samples.forEach((id, index) => {
    // The time until the next look is what this one stands for.
    at += timeDeltas[index]!
    const lasted = Math.max(0, timeDeltas[index + 1] ?? 0)
    if (at >= fromMicros && at <= toMicros) micros.set(id, (micros.get(id) ?? 0) + lasted)
  })
  return micros
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url
    .replace(/^.*\/(?:dist|src)\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/\.js$/, '')
  const name = functionName || '(anonymous)'
  return file ? `${name} ${file}${functionName ? '' : `:${lineNumber + 1}`}` : name
}

/** Frames of one name and room side by side are one: the compiler's versions of a function tell nobody anything. */
export function merged(frames: readonly Frame[]): Frame[] {
  const byName = new Map<string, Frame>()
  for (const frame of frames) {
    const key = `${frame.room} ${frame.name}`
    const known = byName.get(key)
    if (!known) byName.set(key, { ...frame })
    else
      byName.set(key, {
        ...known,
        micros: known.micros + frame.micros,
        children: merged([...known.children, ...frame.children]),
      })
  }
  return [...byName.values()].sort(
    (a, b) => ROOMS.indexOf(a.room) - ROOMS.indexOf(b.room) || b.micros - a.micros || (a.name < b.name ? -1 : 1),
  )
}
