// A relay from a webhook channel of Earshot to Discord, to Microsoft Teams, or to a receiver of flat JSON:
// RELAY_SECRET=whsec_... RELAY_TARGET=discord RELAY_URL=https://discord.com/api/webhooks/... node examples/relay.mjs
// RELAY_TARGET is discord, teams or flat. It needs nothing but Node.js and listens on http://127.0.0.1:4901.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const {
  RELAY_SECRET = '',
  RELAY_TARGET = '',
  RELAY_URL = '',
  RELAY_HOST = '127.0.0.1',
  RELAY_PORT = '4901',
} = process.env
const TOLERANCE_SECONDS = 300
/** Earshot waits ten seconds for the answer. */
const TARGET_MS = 8000
const BODY_MAX_BYTES = 2 * 1024 * 1024
/** Characters (code points). Escaping doubles them at most: Discord takes 256 of a title and 4096 of a description. */
const [TITLE_MAX, TEXT_MAX] = [120, 1000]
const HANDLED_MAX = 10_000

function isGenuine(headers, body) {
  const timestamp = String(headers['x-mentions-timestamp'] ?? '')
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const signed = createHmac('sha256', RELAY_SECRET).update(`${timestamp}.`).update(body)
  const expected = Buffer.from(`v2=${signed.digest('hex')}`)
  const given = Buffer.from(String(headers['x-mentions-signature-v2'] ?? ''))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Without control characters, and without those that change the direction of writing. */
function plain(text, max) {
  const characters = [...String(text ?? '').replace(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

function contentOf({ id, event, data }) {
  const { post, author, keyword, counts, period } = data
  let told = { title: event, text: data.message ?? JSON.stringify(data), url: data.url }
  if (counts) told = { title: `Mentions until ${period.to}`, text: `${counts.relevant} relevant mentions` }
  // A post with only a title has it as its text too.
  if (post) told = { ...post, title: post.title || `Mention of ${keyword.term}` }
  if (told.text === told.title) told.text = ''
  const short = { id, event, keyword: keyword?.term, platform: post?.platform, author: author?.name ?? author?.handle }
  return {
    ...Object.fromEntries(Object.entries(short).map(([name, value]) => [name, plain(value, TITLE_MAX)])),
    title: plain(told.title, TITLE_MAX),
    text: plain(told.text, TEXT_MAX),
    url: /^https?:\/\//.test(told.url) && told.url.length <= 2048 ? told.url : '',
  }
}

/** Discord shows any punctuation after a backslash as it stands. */
const escaped = (text) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')
const withoutEmpty = ({ url, footer, ...embed }) => ({ ...embed, ...(url && { url }), ...(footer.text && { footer }) })
const sourceOf = ({ platform, author, keyword }) =>
  [platform, author, keyword].filter((part) => part !== '').join(' · ')

const TARGETS = {
  discord(content) {
    const { title, text, url } = content
    const embed = { title: escaped(title), description: escaped(text), url, footer: { text: sourceOf(content) } }
    return { allowed_mentions: { parse: [] }, embeds: [withoutEmpty(embed)] }
  },
  /** A `TextBlock` would read Markdown; a `TextRun` does not. */
  teams(content) {
    const block = (text, more) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...more }] })
    const blocks = [[content.title, { weight: 'Bolder' }], [content.text], [sourceOf(content), { isSubtle: true }]]
    const card = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: blocks.filter(([text]) => text !== '').map(([text, more]) => block(text, more)),
      actions: content.url ? [{ type: 'Action.OpenUrl', title: 'Open', url: content.url }] : [],
    }
    const contentType = 'application/vnd.microsoft.card.adaptive'
    return { type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] }
  },
  /** Strings without angle brackets, which begin the mentions and links of Slack. */
  flat: (content) =>
    Object.fromEntries(
      Object.entries(content).map(([name, value]) => [name, value.replace(/</g, '‹').replace(/>/g, '›')]),
    ),
}

const render = Object.hasOwn(TARGETS, RELAY_TARGET) ? TARGETS[RELAY_TARGET] : null
if (render === null || !RELAY_SECRET.startsWith('whsec_') || !URL.canParse(RELAY_URL)) {
  console.error('Set RELAY_SECRET (whsec_...), RELAY_TARGET (discord, teams or flat) and RELAY_URL (an address).')
  process.exit(2)
}
const target = new URL(RELAY_URL)
// Without this Discord answers before it has stored the message.
if (RELAY_TARGET === 'discord') target.searchParams.set('wait', 'true')

/** What is sent or being sent, by the id of the delivery. */
const handled = new Map()

/** The answer to Earshot. Any failure is 503, so that Earshot repeats the delivery and its log has the reason. */
async function post(delivery) {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(TARGET_MS)
  try {
    const body = JSON.stringify(render(contentOf(delivery)))
    const reply = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal })
    await reply.body?.cancel()
    if (reply.ok) return { status: 204 }
    const wait = Math.ceil(Number(reply.headers.get('retry-after')))
    return { status: 503, reason: `${RELAY_TARGET} answered ${reply.status}`, ...(wait > 0 && { wait }) }
  } catch (error) {
    return { status: 503, reason: `${RELAY_TARGET} was not reached: ${error.name}` }
  }
}

async function relayOnce(delivery) {
  if (!handled.has(delivery.id)) handled.set(delivery.id, post(delivery))
  if (handled.size > HANDLED_MAX) handled.delete(handled.keys().next().value)
  const answer = await handled.get(delivery.id)
  if (answer.status !== 204) handled.delete(delivery.id)
  return answer
}

async function answer(request, response) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_MAX_BYTES) return response.writeHead(413, { connection: 'close' }).end()
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end('the signature does not fit')
  const { status, reason, wait } = await relayOnce(JSON.parse(body.toString('utf8')))
  response.writeHead(status, wait ? { 'retry-after': wait } : {}).end(reason)
}

const server = createServer((request, response) =>
  answer(request, response).catch((error) => {
    // A request that breaks off has nobody to answer.
    console.error(error)
    response.destroy()
  }),
)
server.listen(Number(RELAY_PORT), RELAY_HOST, () => {
  console.log(`relaying to ${RELAY_TARGET} from http://${RELAY_HOST}:${server.address().port}`)
})
