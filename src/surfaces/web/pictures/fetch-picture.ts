import { request } from 'undici'
import { type Clock, SECOND_MS } from '../../../kernel/clock.ts'
import { Semaphore } from '../../../kernel/concurrency/semaphore.ts'
import type { Egress } from '../../../kernel/egress.ts'
import { readAtMost } from '../../http/read-at-most.ts'
import { rasterTypeOf } from './raster.ts'

export interface Picture {
  type: string
  bytes: Buffer
}

/** Null when the address leads to no picture that may be shown. Aborting `signal` ends it early. */
export type FetchPicture = (address: string, signal: AbortSignal) => Promise<Picture | null>

export interface PictureOptions {
  egress: Egress
  clock: Clock
  userAgent: string
}

const PICTURE_BYTES = 512 * 1024
/** For all redirects together. */
const PICTURE_MS = 5 * SECOND_MS
/** Services of avatars redirect to the picture. */
const REDIRECTS_MAX = 2
/** A process fetches so many at once. */
const AT_ONCE = 16
const WAITING_MAX = 200

/**
 * The address is chosen by strangers: egress allows only public addresses, also after a redirect. The request has no
 * cookie, credential or referrer, and size and time are limited. The bytes decide whether it is a picture.
 */
export function createPictureFetch({ egress, clock, userAgent }: PictureOptions): FetchPicture {
  const places = new Semaphore(AT_ONCE, WAITING_MAX)
  return async (address, signal) => {
    const late = new AbortController()
    const putOff = clock.alarm(PICTURE_MS, () => late.abort())
    const either = AbortSignal.any([signal, late.signal])
    try {
      return await places.run(() => follow(address, { egress, userAgent, signal: either }))
    } catch {
      // The reason would tell a stranger about our network.
      return null
    } finally {
      putOff()
    }
  }
}

interface Asking {
  egress: Egress
  userAgent: string
  signal: AbortSignal
}

async function follow(address: string, { egress, userAgent, signal }: Asking): Promise<Picture | null> {
  let url = address
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    signal.throwIfAborted()
    if (egress.check(url) !== null) return null
    const reply = await request(url, {
      dispatcher: egress.dispatcher,
      signal,
      headers: {
        accept: 'image/webp, image/png, image/jpeg, image/gif, image/avif',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
      },
    })
    if (reply.statusCode === 200) return pictureOf(await readAtMost(reply.body, PICTURE_BYTES))
    await reply.body.dump()
    const { location } = reply.headers
    if (!isRedirect(reply.statusCode) || typeof location !== 'string') return null
    url = new URL(location, url).href
  }
  return null
}

function pictureOf(bytes: Buffer | null): Picture | null {
  const type = bytes === null ? null : rasterTypeOf(bytes)
  return bytes === null || type === null ? null : { type, bytes }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}
