import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask.ts'

/** Floods: so many requests at a time, each followed by the next at once, until it is told to stop. */
export interface Flood {
  port: number
  key: string
  paths: readonly string[]
  atOnce: number
}

/** How often each status was answered. */
export type Flooded = Record<string, number>

// A process of its own, so that the flood takes none of the service's time and none of the neighbour's.
let stop: () => void = () => undefined
process.on('message', (told: Flood | 'stop') => {
  if (told === 'stop') return stop()
  void flood(told).then((flooded) => process.send!(flooded))
})

async function flood({ port, key, paths, atOnce }: Flood): Promise<Flooded> {
  let isOver = false
  stop = () => {
    isOver = true
  }
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const flooded: Flooded = {}
  const goOn = async (first: number) => {
    for (let at = first; !isOver; at += 1) {
      const { status, retryAfterSeconds } = await ask({
        port,
        agent,
        path: paths[at % paths.length]!,
        headers: { authorization: `Bearer ${key}` },
      })
      flooded[status] = (flooded[status] ?? 0) + 1
      // As a client does: the limit by the minute, which is not in the way here, makes the others no use.
      if (status === 429) await wait(retryAfterSeconds * 1000)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, number) => goOn(number)))
  agent.destroy()
  return flooded
}
