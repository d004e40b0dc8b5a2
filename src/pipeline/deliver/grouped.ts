import { setImmediate as nextTurn } from 'node:timers/promises'

const GROUP_MAX = 500
/** While so many are being worked on, the next group grows: work for each few would cost more than what is done. */
const ENOUGH = 64

/**
 * Does the work of everybody who asks within one turn of the event loop, or while there is enough under way, together.
 */
export function createGrouped<One, Result>(
  work: (group: readonly One[]) => Promise<readonly Result[]>,
): (one: One) => Promise<Result> {
  const waiting: { one: One; done: (result: Result) => void; failed: (error: unknown) => void }[] = []
  let underWay = 0
  let gathering = false
  const gather = async () => {
    gathering = true
    await nextTurn()
    gathering = false
    const group = waiting.splice(0, GROUP_MAX)
    underWay += group.length
    begin()
    await work(group.map(({ one }) => one)).then(
      (results) => group.forEach(({ done }, at) => void done(results[at]!)),
      (error) => group.forEach(({ failed }) => void failed(error)),
    )
    underWay -= group.length
    begin()
  }
  const begin = () => {
    if (waiting.length > 0 && !gathering && underWay < ENOUGH) void gather()
  }
  return (one) =>
    new Promise((done, failed) => {
      waiting.push({ one, done, failed })
      begin()
    })
}
