/** How to reach a database, in the form that pg takes. */
export interface Connection {
  /** A host name, or the absolute path of the folder that holds the server's socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** The way never leaves this machine; said openly so that PGSSLMODE in the environment changes nothing. */
  readonly ssl: false
}

/** The same as a URL, understood by pg and by PostgreSQL's own tools. */
export function connectionString({ host, port, user, password, database }: Connection): string {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  const query = new URLSearchParams({ host, sslmode: 'disable' }).toString().replaceAll('+', '%20')
  return `postgresql://${credentials}@localhost:${port}/${encodeURIComponent(database)}?${query}`
}
