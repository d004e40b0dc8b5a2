import type { FastifyRequest } from 'fastify'
import type { Visited } from '../../commands/writing.ts'
import { isFromThisMachine, isLoopback, isOfThisMachine } from '../../kernel/this-machine.ts'
import type { AuthDoor } from './door.ts'

/** Whether a browser is on the machine of the installation, and the installation is open to that machine alone. */
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

/** The services for what a browser asks in which nobody may be signed in yet. */
export function visited({ services }: AuthDoor, request: FastifyRequest): Visited {
  return { ...services, atHome: isAtHome(request) }
}
