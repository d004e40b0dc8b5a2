// The doors answer a lost database, and one that needs its operator, with codes of their own, and may not reach into the store to recognise it.
export { DatabaseUnavailable, isNotReady } from '../store/database.ts'
