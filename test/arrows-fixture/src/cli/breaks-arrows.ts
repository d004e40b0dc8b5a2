// breaks: arrows-of-cli
export * from '../store/rows.ts'
