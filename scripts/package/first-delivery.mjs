import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { say } from '../setup/progress.mjs'

/** What a post of the feed is about. */
export const TERM = 'Quokkaboard'

const LIMIT_MS = 540_000
const ended = []

/** Runs a check; in the end stops all that was begun here, the last first, and removes its folder. */
export async function runToEnd(check, folder) {
  const tooLong = new Promise((_, reject) =>
    setTimeout(() => reject(new Error('The check took too long.')), LIMIT_MS).unref(),
  )
  try {
    await Promise.race([check(), tooLong])
  } catch (error) {
    say(error.stack)
    process.exitCode = 1
  } finally {
    for (const end of ended.reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Serves a feed and returns its address. Each answer has another post, because the service reads the feed before
 * keyword and rule exist.
 */
export async function serveFeed() {
  let count = 0
  const item = () => {
    count += 1
    return (
      `<item><guid>post-${count}</guid><title>${TERM} is out</title><link>https://blog.example/${count}</link>` +
      `<description>We moved to ${TERM} and like it.</description><pubDate>${new Date().toUTCString()}</pubDate></item>`
    )
  }
  const server = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/rss+xml' })
      .end(`<rss version="2.0"><channel><title>Blog</title><link>https://blog.example</link>${item()}</channel></rss>`),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ended.push(() => server.close())
  return `http://127.0.0.1:${server.address().port}/feed.xml`
}

/** @returns {Promise<number>} a port that nothing listens on */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  return port
}

/** Starts what runs until it is ended. npx passes no signal on to it, so the whole group gets it. */
export function begin(file, args, options) {
  const child = spawn(file, args, { ...options, detached: process.platform !== 'win32' })
  let told = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (told += text))
  const closed = once(child, 'close')
  let isClosed = false
  closed.then(() => (isClosed = true))
  const end = async () => {
    if (isClosed) return
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGTERM')
    await closed
  }
  ended.push(end)
  return {
    end,
    says: (words) =>
      until(() => {
        if (isClosed) throw new Error(`${args.join(' ')} ended:\n${told}`)
        return told.includes(words) ? true : null
      }),
  }
}

/** Has the service behind this client deliver a mention of the feed, and waits for it. */
export async function awaitDelivery(client) {
  const { id, url } = await client.createInspection({ name: 'First webhook' })
  const channel = await client.createChannel({ kind: 'webhook', url })
  await client.createAlert({
    name: 'All',
    mode: 'instant',
    event: 'mention.matched',
    filter: { minRelevance: 0 },
    channelIds: [channel.id],
  })
  const delivered = await until(async () => {
    const { requests } = await client.getInspection({ id })
    return requests.find(({ body }) => body.includes(TERM)) ?? null
  })
  if (delivered.signature !== 'valid') throw new Error(`The signature is ${delivered.signature}.`)
}

/** Asks every half second. The limit of the whole run ends what never comes. */
async function until(look) {
  for (;;) {
    const found = await look()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** What the program printed before it ended well. */
export async function output(file, args, options = {}) {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let [told, failed] = ['', '']
  child.stdout.on('data', (text) => (told += text))
  child.stderr.on('data', (text) => (failed += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${failed}${told}`)
  return told.trim()
}
