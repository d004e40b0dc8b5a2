// breaks: arrows-of-matching
export * from '../store/rows.ts'
