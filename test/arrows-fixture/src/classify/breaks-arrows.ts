// breaks: arrows-of-classify
export * from '../sources/contract.ts'
