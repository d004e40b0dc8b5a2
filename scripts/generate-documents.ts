import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adapterFiles } from './documents/adapters.ts'

async function main(args: readonly string[]): Promise<void> {
  const isCheck = args.includes('--check')
  // What the documents describe imports these tables, which therefore come first.
  if (!isCheck) for (const [path, text] of adapterFiles()) await writeFile(join(import.meta.dirname, '..', path), text)
  const { FOLDER, generatedDocuments, outdatedDocuments } = await import('./documents/all.ts')
  const { schemaDocument } = await import('./documents/schema.ts')
  const documents = generatedDocuments().set('schema.sql', await schemaDocument())
  if (isCheck) {
    const outdated = await outdatedDocuments(documents)
    if (outdated.length === 0) return
    console.error(`docs/generated is not what the code says: ${outdated.join(', ')}. Run npm run generate.`)
    process.exitCode = 1
    return
  }
  await mkdir(FOLDER, { recursive: true })
  for (const [name, text] of documents) await writeFile(FOLDER + name, text)
}

await main(process.argv.slice(2))
