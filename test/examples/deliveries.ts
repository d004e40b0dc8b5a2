import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll } from 'vitest'
import type { Verdict } from '../../src/domain/mention/classification.ts'
import type { Post } from '../../src/domain/post/post.ts'
import { type Delivering, startDelivering } from '../../src/operations/deliveries/delivering.suite.ts'
import { makeKeyword, mention, score } from '../mentions.ts'
import { ruled } from '../stand-ins/pipeline.ts'
import { useResource } from '../use-world.ts'
import type { TestWorkspace } from '../world.ts'

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url))

export function readExample(name: string): string {
  return readFileSync(`${PROJECT}examples/${name}`, 'utf8')
}

/** What strangers write to make a receiver do something. */
export const HOSTILE =
  '@everyone <!channel> **[free](https://evil.example)** `x` # \u202etxt <at>Bob</at> {{DATE(1)}} =1+1'

/** A service that sends what is due, at the present time, because receivers compare timestamps with their own clock. */
export function useDeliveries(): Delivering {
  const here = useResource(startDelivering)
  beforeAll(() => {
    here.world.clock.set(new Date())
    here.run()
  })
  return here
}

/** A workspace whose relevant mentions go to one webhook channel. */
export interface Sender {
  workspace: TestWorkspace
  secret: string
  send(post: Partial<Post>, verdict?: Partial<Verdict>): Promise<void>
}

export async function createSender({ world }: Delivering, url: string): Promise<Sender> {
  const workspace = await world.workspace('Acme')
  const { secret } = await ruled(workspace, url)
  const keyword = await makeKeyword(workspace, { term: 'Rocket' })
  return {
    workspace,
    secret,
    send: async (post, verdict) => void (await score(world, [await mention(world, keyword, post)], verdict)),
  }
}
