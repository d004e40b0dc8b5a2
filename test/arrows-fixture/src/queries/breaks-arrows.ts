// breaks: arrows-of-queries
export * from '../commands/act.ts'
