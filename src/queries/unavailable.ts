// The doors answer a lost database with a code of its own, and may not reach into the store to recognise it.
export { DatabaseUnavailable } from '../store/database.ts'
