// Surfaces answer each error differently and may not import the store.
export { AnswerNotWanted, DatabaseUnavailable, isNotReady, StatementTooLong } from '../store/database.ts'
