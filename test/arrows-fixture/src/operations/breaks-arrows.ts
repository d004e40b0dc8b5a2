// breaks: arrows-of-operations
export * from '../store/rows.ts'
