import { z } from 'zod'
import { StartError } from '../../kernel/start-error.ts'
import { type ArchivedFile, type ArchiveReader, readArchive } from './archive-reader.ts'
import { FORMAT, KEY, MANIFEST, type Manifest, manifestSchema } from './format.ts'

/** An archive whose first files have been read. */
export interface OpenBackup {
  manifest: Manifest
  /** As it was given to `writeBackup`. */
  sealedKey: unknown
  /** Continues with the tables. */
  archive: ArchiveReader
}

/** Throws a StartError for a file that is no backup, is damaged, or was made by a newer build. */
export function readBackup<Result>(file: string, read: (backup: OpenBackup) => Promise<Result>): Promise<Result> {
  return readArchive(file, async (archive) => {
    const manifest = await readManifest(archive)
    const isKey = (await archive.peek())?.name === KEY
    const sealedKey = isKey ? parsed(archive, (await archive.next())!, z.unknown()) : null
    return await read({ manifest, sealedKey, archive })
  })
}

const formatSchema = z.object({ product: z.literal('earshot'), format: z.number(), version: z.string() })

async function readManifest(archive: ArchiveReader): Promise<Manifest> {
  const first = await archive.next()
  if (first?.name !== MANIFEST) throw archive.damaged(`it does not begin with ${MANIFEST}`)
  const { format, version } = parsed(archive, first, formatSchema)
  if (format > FORMAT)
    throw new StartError(
      `${archive.file} was made by a newer Earshot (${version}) in a form that this one does not know; update first.`,
    )
  return parsed(archive, first, manifestSchema)
}

export function parsed<Schema extends z.ZodType>(
  archive: ArchiveReader,
  { name, content }: ArchivedFile,
  schema: Schema,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(content.toString('utf8')))
  } catch {
    throw archive.damaged(`${name} in it has another form`)
  }
}
