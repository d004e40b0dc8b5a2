import { z } from 'zod'

/** Raised when older builds could not read the archive. */
export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const KEY = 'key.json'
export const END = 'end.json'
/** Uncompressed text of a table in one file of the archive. */
export const PART_BYTES = 4 * 2 ** 20

const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()).min(1) })

/** The first file of an archive. */
export const manifestSchema = z.object({
  product: z.literal('earshot'),
  format: z.number().int().min(1),
  /** The version of Earshot that made it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** The version of PostgreSQL. */
  server: z.string(),
  /** In order: the schema. */
  migrations: z.array(z.string()).min(1),
  /** In the order in which foreign keys let them be filled. */
  tables: z.array(tableSchema),
  /** Tells the key that the secrets are sealed with; null when no process has started yet. */
  keySample: z.string().nullable(),
})

export type Manifest = z.infer<typeof manifestSchema>

const contentSchema = z.object({
  rows: z.number().int().min(0),
  /** Of the uncompressed text. */
  bytes: z.number().int().min(0),
  sha256: z.string(),
})

export type TableContent = z.infer<typeof contentSchema>

/** The last file of an archive. */
export const endSchema = z.object({
  tables: z.record(z.string(), contentSchema),
  /** The last value that each identity column has given; none when it gave none. */
  identities: z.array(z.object({ table: z.string(), column: z.string(), last: z.string().regex(/^\d+$/) })),
})

export type ArchiveEnd = z.infer<typeof endSchema>

export function partName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, '0')}`
}

/** The table of a part; null for another file. */
export function tableOfPart(name: string): string | null {
  return /^tables\/([^/]+)\/\d+$/.exec(name)?.[1] ?? null
}
