// breaks: arrows-of-stream
export * from '../store/rows.ts'
