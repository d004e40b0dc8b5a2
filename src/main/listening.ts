import { StartError } from '../kernel/start-error.ts'

/** Throws StartError for what the operator can mend. */
export async function listenOn(
  server: { listen(where: { port: number; host: string }): Promise<unknown> },
  { port, host }: { port: number; host: string },
): Promise<void> {
  try {
    await server.listen({ port, host })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EADDRINUSE')
      throw new StartError(`PORT: ${port} is in use by another program; stop it or set another PORT.`)
    if (code === 'EACCES') throw new StartError(`PORT: this user may not listen on ${port}; set a PORT above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`EARSHOT_HOST: ${host} is not an address of this machine.`)
    throw error
  }
}

/** The address for people on this machine. */
export function shownAddress({ host, port }: { host: string; port: number }): string {
  return `http://${shownHost(host)}:${port}`
}

function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '127.0.0.1') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
