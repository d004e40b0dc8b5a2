import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToolWorld, type ToolWorld } from './calling.suite.ts'

let tools: ToolWorld
beforeAll(async () => {
  tools = await createToolWorld()
})
afterAll(() => tools.world.close())

const RUNNER = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')

/**
 * Scenarios of the official suite that ask for nothing but the protocol. The others want tools, resources and prompts
 * of the suite's own making, or parts of the protocol that this server does not have.
 */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

test.each(SCENARIOS)('the official suite is content with %s', async (scenario) => {
  // The suite would take the address for one of a server that is not on this machine, were it not named localhost.
  const url = `http://localhost:${tools.world.port}/mcp`
  const { code, output } = await run(['server', '--url', url, '--scenario', scenario])
  expect(output).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
  expect(code).toBe(0)
})

function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [RUNNER, ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 25_000 })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (part: string) => {
        output += part
      })
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
