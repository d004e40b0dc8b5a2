import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { fromId } from '../../../kernel/ids.ts'
import {
  PICTURES_OF_POSTS,
  type PictureOfPost,
  readPictureAddress,
} from '../../../queries/mentions/read-picture-address.ts'
import { personOf } from '../../auth/browser.ts'
import { signalOf } from '../../http/signal.ts'
import type { FetchPicture } from './fetch-picture.ts'

/** The bytes come from a stranger: nothing in them may run, and no other site may show them. */
const PICTURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const

const KEPT = keptFor(24 * HOUR_MS)
const MISSING_KEPT = keptFor(10 * MINUTE_MS)

/**
 * Pictures of posts that the workspace stores, for people who are signed in. Their browsers ask this service, so that
 * no platform learns who reads what.
 */
export function servePictures(server: FastifyInstance, fetchPicture: FetchPicture): void {
  server.get('/pictures/:mention/:picture', async (request, reply) => {
    reply.headers(PICTURE_HEADERS)
    const address = await addressOf(request)
    if (address === null) return reply.code(404).header('Cache-Control', 'no-store').send()
    const picture = await fetchPicture(address, signalOf(reply))
    if (picture === null) return reply.code(404).header('Cache-Control', MISSING_KEPT).send()
    return reply.headers({ 'Content-Type': picture.type, 'Cache-Control': KEPT }).send(picture.bytes)
  })
}

/** Null for strangers as for what does not exist. */
async function addressOf(request: FastifyRequest): Promise<string | null> {
  const { mention, picture } = request.params as Record<'mention' | 'picture', string>
  const mentionId = fromId('mtn', mention)
  if (mentionId === null || !isPicture(picture)) return null
  const person = await personOf(request)
  if (person === null || person.workspaceId === null) return null
  const { db } = request.server.services
  return await readPictureAddress(db, { workspaceId: person.workspaceId, mentionId, picture })
}

function isPicture(text: string): text is PictureOfPost {
  return PICTURES_OF_POSTS.some((picture) => picture === text)
}

function keptFor(milliseconds: number): string {
  return `private, max-age=${milliseconds / SECOND_MS}`
}
