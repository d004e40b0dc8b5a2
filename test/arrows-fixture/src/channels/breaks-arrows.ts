// breaks: arrows-of-channels
export * from '../sources/contract.ts'
