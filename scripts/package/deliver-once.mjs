import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { say } from '../setup/progress.mjs'
import { awaitDelivery, begin, freePort, output, runToEnd, serveFeed, TERM } from './first-delivery.mjs'

/**
 * Starts an installed package with the Node.js of another processor, which this system can run, and has it deliver a
 * mention: `node scripts/package/deliver-once.mjs NODE MODULES`, with the folder of modules that holds the package.
 */
const [node, modules] = process.argv.slice(2)
const data = mkdtempSync(join(tmpdir(), 'earshot-data-'))

async function main() {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = {
    ...{ PATH: process.env.PATH, HOME: data, DATA_DIR: data, PORT: String(port), PUBLIC_URL: origin },
    ...{ EGRESS_ALLOW: '127.0.0.1', FEEDS_URLS: await serveFeed(), SOURCE_FEEDS_POLL_SECONDS: '1' },
  }
  const earshot = (...args) => [node, [join(modules, 'earshot', 'bin', 'earshot.mjs'), ...args], { env }]
  const system = await output(node, ['--print', 'process.platform + "-" + process.arch'])
  await begin(...earshot('start')).says('Earshot is running at')
  say(`package: the service is healthy on ${system}`)
  const key = await output(...earshot('keys', 'create', '--workspace', 'Newcomers', '--scope', 'write'))
  const { createClient } = await import(pathToFileURL(join(modules, 'earshot', 'dist', 'client', 'index.js')).href)
  const client = createClient({ url: origin, apiKey: key })
  await client.createKeyword({ term: TERM })
  await awaitDelivery(client)
  say(`package: a mention of ${TERM} was delivered on ${system}`)
}

await runToEnd(main, data)
