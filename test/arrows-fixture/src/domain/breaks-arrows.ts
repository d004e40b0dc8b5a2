// breaks: arrows-of-domain
export * from '../store/rows.ts'
