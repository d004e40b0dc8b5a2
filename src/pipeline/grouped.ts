import { setImmediate as nextTurn } from 'node:timers/promises'

const GROUP_MAX = 500

/** Does the work of everybody who asks within one turn of the event loop together. */
export function createGrouped<One, Result>(work: (group: readonly One[]) => Promise<readonly Result[]>): (one: One) => Promise<Result> {
  let waiting: { one: One; done: (result: Result) => void; failed: (error: unknown) => void }[] = []
  const flush = async () => {
    await nextTurn()
    const all = waiting
    waiting = []
    for (let begin = 0; begin < all.length; begin += GROUP_MAX) {
      const group = all.slice(begin, begin + GROUP_MAX)
      work(group.map(({ one }) => one)).then(
        (results) => group.forEach(({ done }, at) => void done(results[at]!)),
        (error) => group.forEach(({ failed }) => void failed(error)),
      )
    }
  }
  return (one) =>
    new Promise((done, failed) => {
      waiting.push({ one, done, failed })
      if (waiting.length === 1) void flush()
    })
}
