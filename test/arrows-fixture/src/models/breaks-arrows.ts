// breaks: arrows-of-models
export * from '../sources/contract.ts'
