export interface Connection {
  /** A host name, or the absolute path of the socket's folder. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** The connection never leaves this machine; explicit, so that PGSSLMODE has no effect. */
  readonly ssl: false
}

/** A URL that pg and PostgreSQL's own tools understand. */
export function connectionString({ host, port, user, password, database }: Connection): string {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  const query = new URLSearchParams({ host, sslmode: 'disable' }).toString().replaceAll('+', '%20')
  return `postgresql://${credentials}@localhost:${port}/${encodeURIComponent(database)}?${query}`
}
