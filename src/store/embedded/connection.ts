export interface Connection {
  /** A host name, or the socket's folder. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** Explicit, so that PGSSLMODE has no effect; the connection stays on this machine. */
  readonly ssl: false
}

export function connectionString({ host, port, user, password, database }: Connection): string {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  const query = new URLSearchParams({ host, sslmode: 'disable' }).toString().replaceAll('+', '%20')
  return `postgresql://${credentials}@localhost:${port}/${encodeURIComponent(database)}?${query}`
}
