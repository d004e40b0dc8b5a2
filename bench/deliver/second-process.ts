import type { Unscored } from '../../src/store/model/unscored.ts'
import { servicesOn } from '../../test/stand-ins/seeded.ts'
import { openBenchDatabase, startStages } from './working-stages.ts'

/** What the benchmark asks of a second working process. */
export type SecondOrder =
  | { kind: 'begin'; connection: string; secretKey: string }
  /** Answered when there is room for more. */
  | { kind: 'add'; mentions: readonly Unscored[] }
  /** Answered by how much is in hand. */
  | { kind: 'left' }
  | { kind: 'end' }

type Working = { add(mentions: readonly Unscored[]): Promise<void>; left(): number; end(): Promise<void> }

let working: Working | null = null

process.on('message', (order: SecondOrder) => {
  void obey(order).then((answer) => process.send?.(answer))
})
// Without the benchmark there is nothing left to do.
process.on('disconnect', () => process.exit())

async function obey(order: SecondOrder): Promise<number> {
  if (order.kind === 'begin') working = begin(order)
  else if (order.kind === 'add') await working!.add(order.mentions)
  else if (order.kind === 'end') await working!.end()
  return working!.left()
}

function begin({ connection, secretKey }: SecondOrder & { kind: 'begin' }): Working {
  const db = openBenchDatabase(connection)
  const services = servicesOn(db, secretKey)
  const { score, deliver, close } = startStages(services)
  return {
    add: (mentions) => score.add(mentions),
    left: () => score.length + deliver.length,
    async end() {
      await close()
      await services.close()
      await db.close()
    },
  }
}
