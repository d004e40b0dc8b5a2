// The doors answer each of these in a way of its own, and may not reach into the store to recognise them.
export { AnswerNotWanted, DatabaseUnavailable, isNotReady, StatementTooLong } from '../store/database.ts'
