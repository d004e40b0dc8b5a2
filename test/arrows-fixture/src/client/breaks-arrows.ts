// breaks: arrows-of-client
export * from '../kernel/base.ts'
