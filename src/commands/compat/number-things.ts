import type { Uuid } from '../../kernel/ids.ts'
import {
  assignNumbers,
  findNumbered,
  type Numbered,
  type NumberedKind,
  readNumbers,
} from '../../store/compat/numbers.ts'
import type { WritingContext } from '../writing.ts'

export type { Numbered, NumberedKind } from '../../store/compat/numbers.ts'

/** The numbers of a workspace's things: positive, assigned when first asked for, and kept for good. */
export class Numbers {
  constructor(private readonly writing: Pick<WritingContext, 'db' | 'workspaceId'>) {}

  /** Two statements at most, and none that writes where all have a number. */
  async of(things: readonly Numbered[]): Promise<(id: Uuid) => number> {
    const { db, workspaceId } = this.writing
    const once = [...new Map(things.map((thing) => [thing.id, thing])).values()]
    const known =
      once.length === 0
        ? new Map<Uuid, number>()
        : await readNumbers(
            db,
            workspaceId,
            once.map(({ id }) => id),
          )
    const missing = once.filter(({ id }) => !known.has(id))
    if (missing.length > 0)
      for (const [id, number] of await db.transaction((tx) => assignNumbers(tx, workspaceId, missing)))
        known.set(id, number)
    return (id) => {
      const number = known.get(id)
      if (number === undefined) throw new Error('a number is asked for that was not read')
      return number
    }
  }

  /** Numbers that no such thing of the workspace has are absent. */
  async find(kind: NumberedKind, numbers: readonly number[]): Promise<ReadonlyMap<number, Uuid>> {
    if (numbers.length === 0) return new Map()
    return await findNumbered(this.writing.db, this.writing.workspaceId, kind, numbers)
  }
}
