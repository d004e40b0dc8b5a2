// A receiver for webhook deliveries that checks their signature: node examples/webhook-receiver.mjs whsec_...
// It needs nothing but Node.js and listens on http://127.0.0.1:4900.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const PORT = 4900
const TOLERANCE_SECONDS = 300
const secret = process.argv[2] ?? process.env.WEBHOOK_SECRET ?? ''

/** The signature covers the timestamp and the raw body; the key is the whole secret, its prefix included. */
function isGenuine(headers, body) {
  const timestamp = String(headers['x-mentions-timestamp'] ?? '')
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = Buffer.from(`v2=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`)
  const given = Buffer.from(String(headers['x-mentions-signature-v2'] ?? ''))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    const genuine = isGenuine(request.headers, body)
    // Answer first, work later: whoever takes longer than ten seconds gets the delivery again.
    response.writeHead(genuine ? 200 : 401).end()
    if (!genuine) return console.log('refused a request whose signature does not fit')
    const { id, event, data } = JSON.parse(body.toString('utf8'))
    // Post texts are written by strangers: shown as JSON, so that no control character reaches the terminal.
    const what = data.post ? data.post.title || data.post.text : (data.message ?? data)
    console.log(`${event} ${id} ${JSON.stringify(what).slice(0, 160)}`)
  })
}).listen(PORT, '127.0.0.1', () => console.log(`waiting for deliveries on http://127.0.0.1:${PORT}`))
