// breaks: arrows-of-kernel
export * from '../domain/noun.ts'
