import { SourceFault } from '../sources/contract.ts'
import { type PostStream, StreamMoved } from './contract.ts'
import { followStream } from './follow-stream.ts'
import type { MessageLog } from './message-log.ts'
import { logNameOf } from './names.ts'
import { readMessage, writeMessage } from './wire.ts'

export function createPostStream(log: MessageLog): PostStream {
  return {
    prepare: (platform) => log.prepare(logNameOf(platform)),
    async newest(platform) {
      const name = logNameOf(platform)
      const state = await log.state(name)
      if (state === null) throw new SourceFault('stream', `there is no post stream of ${platform}`)
      const message = state.last < state.first ? null : await log.read(name, state.last)
      const read = message && readMessage(platform, message.data)
      return { number: state.last, posts: read?.posts ?? null, cursor: read?.cursor ?? null }
    },
    async publish(platform, batch, end) {
      const { id, posts, data } = writeMessage(platform, batch, end)
      const number = await log.append(logNameOf(platform), { id, data }, end.number)
      if (number === null) throw new StreamMoved(platform)
      return { number, posts }
    },
    followed: (source) => ({
      ...source,
      follow: (context, cursor) => followStream(log, source.platform, context, cursor),
    }),
    state: (platform) => log.state(logNameOf(platform)),
    describe: () => log.describe(),
    close: () => log.close(),
  }
}
