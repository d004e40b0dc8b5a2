import type pg from 'pg'

/** The names of the columns that a statement answers, as the server says after it has prepared it; nothing is run. */
export function columnsAnswered(client: pg.Client, text: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let columns: string[] = []
    const described = {
      submit(connection: ProtocolConnection): undefined {
        connection.parse({ text, name: '', types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
        return undefined
      },
      handleRowDescription({ fields }: { fields: { name: string }[] }): void {
        columns = fields.map(({ name }) => name)
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    }
    client.query(described as unknown as pg.Submittable)
  })
}

/** What the driver's connection offers to queries of one's own; its types leave it out. */
interface ProtocolConnection {
  parse(query: { text: string; name: string; types: unknown[] }, more: boolean): void
  describe(what: { type: 'S'; name: string }, more: boolean): void
  sync(): void
}
