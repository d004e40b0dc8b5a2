import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodType, z } from 'zod'
import { introduceClient } from '../../commands/oauth/introduce-client.ts'
import type { Services } from '../../commands/writing.ts'
import type { ClientKeys } from '../../domain/oauth/client-keys.ts'
import { refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { passedProxy } from '../../kernel/this-machine.ts'
import { VERSION } from '../../kernel/version.ts'
import { findClient } from '../../queries/oauth/find-client.ts'
import { acceptSignedBodies } from '../http/body.ts'
import { RefusedRequest } from '../http/envelope.ts'
import { CELL_PATHS, type clientAnswer, clientRecord, clientRequest, type findAnswer, findRequest } from './contract.ts'
import { holdsMark } from './hold-marks.ts'
import { DOOR_HEADER, isSignedCall } from './signature.ts'

/** Answers the door of the cells. Without its signature, or through a proxy, these addresses do not exist. */
export function serveCells(
  server: FastifyInstance,
  { services, secret }: { services: Services; secret: string },
): void {
  void server.register(async (plugin) => {
    acceptSignedBodies(plugin, services.clock)
    const read = <Shape extends ZodType>(request: FastifyRequest, shape: Shape) =>
      readSigned(request, { shape, secret, at: services.clock.now() })
    const config = { doorOnly: true }
    plugin.addHook('onRequest', async (_request, reply) => void reply.header('Cache-Control', 'no-store'))

    plugin.post(CELL_PATHS.find, { config }, async (request, reply) => {
      const { marks } = read(request, findRequest)
      const answer: z.output<typeof findAnswer> = {
        version: VERSION,
        publicUrl: services.publicUrl,
        found: await Promise.all(marks.map((mark) => holdsMark(services, mark))),
      }
      return reply.send(answer)
    })

    plugin.post(CELL_PATHS.client, { config }, async (request, reply) => {
      const known = await findClient(services.db, read(request, clientRequest).id)
      const answer: z.output<typeof clientAnswer> = {
        client: known === null || known.freshUntil !== null ? null : recordOf(known),
      }
      return reply.send(answer)
    })

    plugin.post(CELL_PATHS.introduce, { config }, async (request, reply) => {
      const { secretHash, keys, ...client } = read(request, clientRecord)
      await introduceClient(services, {
        ...client,
        keys: keys as ClientKeys | null,
        secretHash: secretHash === null ? null : Buffer.from(secretHash, 'hex'),
      })
      return reply.send({})
    })
  })
}

type StoredClient = NonNullable<Awaited<ReturnType<typeof findClient>>>

function recordOf({ id, name, redirectUris, homeUrl, authMethod, keys, secretHash }: StoredClient) {
  return {
    id,
    name,
    redirectUris: [...redirectUris],
    homeUrl,
    authMethod,
    keys: keys === null ? null : { ...keys },
    secretHash: secretHash === null ? null : secretHash.toString('hex'),
  }
}

function readSigned<Shape extends ZodType>(
  { routeOptions, headers, body }: FastifyRequest,
  { shape, secret, at }: { shape: Shape; secret: string; at: Date },
): z.output<Shape> {
  const text = typeof body === 'string' ? body : ''
  const call = { secret, path: routeOptions.url!, body: text, at, signature: headers[DOOR_HEADER] }
  if (passedProxy(headers) || !isSignedCall(call))
    throw new RefusedRequest(refuse('not_found', 'This route does not exist.'))
  const parsed = shape.safeParse(JSON.parse(text))
  if (!parsed.success) throw new RefusedRequest(refuseField('body', 'is of another version of the door'))
  return parsed.data
}
