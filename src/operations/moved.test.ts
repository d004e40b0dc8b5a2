import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../test/use-world.ts'
import { moveWorkspace } from '../commands/move/move-workspace.ts'
import { AWAY, movingBetween } from '../commands/move/moving.suite.ts'

const home = useWorld()
const away = useWorld()
const acme = useWorkspace(home, 'Acme')

test('a workspace refuses changes on its way, and its old address answers where it went', async () => {
  const key = acme.writeKey
  let answers: unknown = null
  const tell = (line: string) => line === 'Copying it' && trying()
  let tried: Promise<void> | null = null
  const trying = () => {
    tried = (async () => {
      const change = await acme.api('POST', '/v1/groups', { name: 'Late' })
      const read = await acme.api('GET', '/v1/groups')
      answers = {
        change: [change.status, change.body.error.code, change.headers.get('retry-after')],
        read: read.status,
      }
    })()
  }
  const wait = async () => {
    await home.clock.advance(60_000)
    await away.clock.advance(60_000)
  }
  const moving = movingBetween(home, away, acme.workspaceId, {
    wait,
    tell: (line) => void tell(line),
    step: async () => void (await tried),
  })
  await moveWorkspace(moving, AWAY)
  expect(answers).toEqual({ change: [503, 'workspace_moving', '30'], read: 200 })

  const { status, headers, body } = await acme.api('GET', '/v1/groups?limit=1')
  expect({ status, code: body.error.code, location: headers.get('location') }).toEqual({
    status: 421,
    code: 'workspace_moved',
    location: `${AWAY}/v1/groups?limit=1`,
  })
  expect(body.error.message).toBe(`The workspace has moved to ${AWAY}. Send the request there.`)
  const compat = await acme.api('GET', '/compat/api/v2/org')
  expect([compat.status, compat.headers.get('location')]).toEqual([421, `${AWAY}/compat/api/v2/org`])
  const tool = await acme.api('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  expect([tool.status, tool.headers.get('location')]).toEqual([421, `${AWAY}/mcp`])
  expect((await away.api('GET', '/v1/groups', undefined, { key })).status).toBe(200)
  expect((await home.api('GET', '/v1/groups', undefined, { key: `ref_${'x'.repeat(43)}` })).status).toBe(401)
})
