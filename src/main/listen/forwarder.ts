import { newWebhookSecret } from '../../channels/webhook/config.ts'
import { type SigningKeys, signatureHeaders, signingKeys } from '../../channels/webhook/signing.ts'
import { EXIT } from '../../cli/index.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { underAny } from '../../kernel/concurrency/under-any.ts'
import { VERSION } from '../../kernel/version.ts'

import { type ListenOptions, type LogFollowing, reasonOf, stop, waitAfter } from './following.ts'

/** The same limit as for a real receiver. */
const LOCAL_LIMIT_MS = 10 * SECOND_MS
const LOCAL_TRIES = 5

/** Sends bodies to the developer's address with their ids and the service's signatures. */
export class Forwarder {
  readonly secret: string
  private readonly forwardTo: string
  private readonly keys: SigningKeys
  private readonly following: LogFollowing

  constructor({ forwardTo, secret = newWebhookSecret() }: ListenOptions, following: LogFollowing) {
    if (!/^https?:\/\//i.test(forwardTo) || !canParse(forwardTo))
      stop(`--forward-to: ${forwardTo} is not an http or https address.`, EXIT.usage)
    const keys = signingKeys(secret)
    if (keys === null) stop('--secret must start with whsec_, followed by at least 16 bytes in base64.', EXIT.usage)
    this.secret = secret
    this.forwardTo = forwardTo
    this.keys = keys
    this.following = following
  }

  /** Returns the result in a few words. */
  async send(text: string): Promise<string> {
    const { clock, say, signal } = this.following
    const body = Buffer.from(text)
    const { id } = JSON.parse(text) as { id: string }
    for (let tried = 1; ; tried += 1) {
      try {
        return String(await this.post(body, id))
      } catch (error) {
        if (signal.aborted) return 'not forwarded'
        if (tried === LOCAL_TRIES) return `not forwarded: ${reasonOf(error)}, ${LOCAL_TRIES} times`
        say(`${this.forwardTo} does not respond (${reasonOf(error)}); retrying`)
        await clock.wait(waitAfter(tried), signal)
        if (signal.aborted) return 'not forwarded'
      }
    }
  }

  private async post(body: Buffer, id: string): Promise<number> {
    const { clock, signal, ...following } = this.following
    const headers = headersOf(id, body, this.keys, clock.now())
    return await underAny([signal, AbortSignal.timeout(LOCAL_LIMIT_MS)], async (ending) => {
      const reply = await following.fetch(this.forwardTo, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: ending,
      })
      // An unread body would keep the connection.
      await reply.body?.cancel()
      return reply.status
    })
  }
}

function headersOf(id: string, body: Buffer, keys: SigningKeys, at: Date): Headers {
  const headers = new Headers({ 'content-type': 'application/json', 'user-agent': `earshot/${VERSION} (listen)` })
  const signed = signatureHeaders(id, body, keys, at)
  for (let place = 0; place < signed.length; place += 2) headers.set(signed[place]!, signed[place + 1]!)
  return headers
}
