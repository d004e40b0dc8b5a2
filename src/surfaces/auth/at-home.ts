import type { FastifyRequest } from 'fastify'
import type { Visited } from '../../commands/writing.ts'
import { isFromThisMachine, isLoopback, isOfThisMachine } from '../../kernel/this-machine.ts'
import type { SignInContext } from './context.ts'

/** Whether the browser is on the installation's machine and the server listens only to it. */
export function isAtHome({ server, socket, headers }: FastifyRequest): boolean {
  const listening = server.addresses()
  const reachedFromHereOnly =
    listening.length > 0 && listening.every((item) => typeof item !== 'string' && isLoopback(item.address))
  return (
    reachedFromHereOnly &&
    isOfThisMachine(server.services.publicUrl) &&
    isFromThisMachine({ address: socket.remoteAddress, headers })
  )
}

/** Services for requests before sign-in. */
export function visited({ services }: SignInContext, request: FastifyRequest): Visited {
  return { ...services, atHome: isAtHome(request) }
}
