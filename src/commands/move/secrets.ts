import { readSealed, type SealedText, writeSealed } from '../../store/move/sealed-texts.ts'
import { MoveProblem, type Moving } from './cell.ts'

/**
 * Seals the secrets of the copy under the other cell's key, and proves that they open to the same there. One that does
 * not open here is carried as it is. Throws MoveProblem.
 */
export async function carrySecrets({ workspaceId, here, there }: Moving): Promise<void> {
  const theirs = new Map((await readSealed(there.db, workspaceId)).map((sealed) => [nameOf(sealed), sealed]))
  for (const ours of await readSealed(here.db, workspaceId)) {
    const plain = here.sealer.open(ours.text, ours.boundTo)
    const copy = theirs.get(nameOf(ours))
    if (copy === undefined) throw new MoveProblem(`The copy has no ${ours.kind} of ${ours.key.join(' ')}.`)
    if (plain === null || there.sealer.open(copy.text, copy.boundTo) === plain) continue
    const text = there.sealer.seal(plain, ours.boundTo)
    await there.db.transaction((tx) => writeSealed(tx, workspaceId, { ...copy, text }))
  }
}

function nameOf({ kind, key }: SealedText): string {
  return [kind, ...key].join(' ')
}
