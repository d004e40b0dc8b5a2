import { createHmac } from 'node:crypto'
import { fromId, ID_PREFIXES, type IdPrefix, toId, type Uuid } from '../../kernel/ids.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const PREFIXED = /^([a-z]{2,4})_[0-9a-z]{26}$/

/** Ids of people and API keys, which no archive holds, stay. */
const RENAMED: readonly IdPrefix[] = ID_PREFIXES.filter((prefix) => prefix !== 'user' && prefix !== 'key')

interface WorkspaceIds {
  old: Uuid
  new: Uuid
}

/** The ids of an imported workspace: each old one has its own new one, which sorts as the old one does. */
export class NewIds {
  private readonly salt: Buffer
  private readonly workspace: WorkspaceIds

  constructor(salt: Buffer, workspace: WorkspaceIds) {
    this.salt = salt
    this.workspace = workspace
  }

  /** Time and count of the old id stay, because lists are in the order of ids. */
  of(id: Uuid): Uuid {
    if (id === this.workspace.old) return this.workspace.new
    const hex = createHmac('sha256', this.salt).update(id).digest('hex')
    return `${id.slice(0, 19)}8${hex.slice(0, 3)}-${hex.slice(3, 15)}` as Uuid
  }

  /** Replaces whole strings that are ids, at any depth. */
  within(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.within(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.within(item)]))
  }

  private text(text: string): string {
    if (UUID.test(text)) return this.of(text as Uuid)
    const prefix = PREFIXED.exec(text)?.[1] as IdPrefix | undefined
    if (prefix === undefined || !RENAMED.includes(prefix)) return text
    const id = fromId(prefix, text)
    return id === null ? text : toId(prefix, this.of(id))
  }
}
