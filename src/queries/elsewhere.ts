// Operations may not import the store.
export { unlessFrozen, WorkspaceFrozen } from '../store/frozen/frozen.ts'
export { addressOfCredential, WorkspaceElsewhere } from '../store/frozen/moved.ts'
