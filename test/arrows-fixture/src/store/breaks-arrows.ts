// breaks: arrows-of-store
export * from '../queries/list.ts'
