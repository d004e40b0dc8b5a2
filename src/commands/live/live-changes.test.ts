import { expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { LiveChanges } from './live-changes.ts'

const world = useWorld()

test('followers are bounded by workspace and in all, and one that leaves makes room', async () => {
  const live = new LiveChanges(world.services, { ofWorkspace: 2, ofProcess: 3 })
  const [first, second, third] = await Promise.all(['First', 'Second', 'Third'].map((name) => world.workspace(name)))
  const follow = async (workspace = first!) => await live.follow(workspace.workspaceId, ['mention.scored'])
  const mine = [await follow(), await follow()]
  expect([live.fullOf(first!.workspaceId), await follow(), live.fullOf(second!.workspaceId)]).toEqual([
    'workspace',
    null,
    null,
  ])
  expect(await follow(second)).not.toBeNull()
  expect([live.fullOf(third!.workspaceId), await follow(third), live.fullOf(first!.workspaceId)]).toEqual([
    'process',
    null,
    'workspace',
  ])
  mine[0]!.leave()
  expect([live.fullOf(first!.workspaceId), live.fullOf(third!.workspaceId)]).toEqual([null, null])
  live.end()
  expect(live.fullOf(third!.workspaceId)).toBe('process')
  mine[1]!.leave()
})
